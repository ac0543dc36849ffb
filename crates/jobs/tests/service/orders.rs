//! What is wrong with a file of jobs is told in one line, by job and key.

use crate::desk::Desk;

fn refused(lines: &str) -> String {
    let desk = Desk::new();
    let file = format!("[job.shop]\nurl = [\"{{site}}/\"]\n{lines}\n");
    desk.plan(&file, "shop").expect_err("the job should be refused").to_string()
}

#[test]
fn each_fault_names_its_job_and_key() {
    for (lines, expected) in [
        ("cron = \"61 * * * *\"", "job shop, cron"),
        ("cron = \"0 2 * * *\"\nzone = \"Europe/Berlim\"", "job shop, zone"),
        ("cron = \"0 2 * * *\"\nwindow = \"25:00-26:00\"", "job shop, window"),
        ("[job.shop.output]\nout = \"-\"", "job shop, output.out"),
        ("[job.shop.publish]\nmirror = [\"ftp://host/\"]", "job shop, publish.mirror"),
        ("[job.shop.publish]\nmirror = [\"command:/nowhere/upload\"]", "\"/nowhere/upload\" is not there"),
        ("[job.shop.publish]\nindexnow = [\"https://engine.example/\"]", "job shop, publish.indexnow-key-file"),
        ("[job.shop.publish]\nping = [\"https://engine.example/\"]", "job shop, publish.ping"),
        ("[job.shop.publish]\nsearch-console = \"sc-domain:a.example\"", "job shop, publish.search-console-key-file"),
        ("[job.shop.publish]\nrewrite-host = [\"a\"]", "--rewrite-host"),
        ("[job.shop.notify]\ntell = [\"pigeon:coop\"]", "job shop, notify.tell"),
        ("[job.shop.notify]\nsmtp-host = \"mail.example\"", "notify.mail-from"),
        ("[job.shop.notify]\ntell = [\"mailto:web@shop.example\"]", "no mail server is set"),
        ("[job.shop.notify]\ntell = [\"slack:ops\"]", "no secret URL is set for slack:ops"),
        ("[job.shop.notify]\nheartbeat = \"watch.example\"", "job shop, notify.heartbeat"),
        ("[job.shop.crawl]\nscope = \"list\"", "crawl.scope"),
    ] {
        let line = refused(lines);
        assert!(line.contains(expected), "{lines}: {line}");
        assert_eq!(line.lines().count(), 1, "{line}");
    }
}

#[test]
fn the_line_of_the_fault_is_told() {
    for (lines, line) in [
        ("cron = \"61 * * * *\"", 3),
        ("\ncron = \"0 2 * * *\"\nzone = \"Europe/Berlim\"", 5),
        ("[job.shop.publish]\nmirror = [\"ftp://host/\"]", 4),
        ("[job.shop.notify]\n\ntell = [\"pigeon:coop\"]", 5),
        ("[job.shop.publish]\nrewrite-host = [\"a\"]", 4),
    ] {
        let told = refused(lines);
        assert!(told.contains(&format!("file mapwright.toml line {line}")), "{lines}: {told}");
    }
}

#[test]
fn a_job_without_a_start_and_one_that_is_not_there_are_refused() {
    let desk = Desk::new();
    let nowhere = desk.plan("[job.shop]\n", "shop").unwrap_err().to_string();
    assert!(nowhere.contains("job shop") && nowhere.contains("none was given"), "{nowhere}");
    let unknown = desk.plan("[job.shop]\nurl = [\"{site}/\"]\n", "shpo").unwrap_err().to_string();
    assert!(unknown.contains("the jobs are shop"), "{unknown}");
}

#[test]
fn secrets_come_from_files_and_are_shown_nowhere() {
    let desk = Desk::new();
    let secret = desk.root.path().join("secret");
    std::fs::write(&secret, "hush-hush\n").unwrap();
    let file = "[job.shop]\nurl = [\"{site}/\"]\n[notify]\nwebhook-secret-file = \"{root}/secret\"\n";
    let plan = desk.plan(file, "shop").unwrap();
    assert!(!format!("{plan:?}").contains("hush-hush"));
}

#[test]
fn jobs_that_write_into_one_directory_are_refused() {
    let desk = Desk::new();
    let job =
        |name: &str| format!("[job.{name}]\nurl = [\"{{site}}/\"]\n[job.{name}.output]\nout = \"{{root}}/out\"\n");
    let error = desk.orders(&(job("one") + &job("two"))).unwrap_err().to_string();
    assert!(error.contains("jobs one and two both write into it"), "{error}");
    assert!(desk.orders(&job("one")).is_ok());
}
