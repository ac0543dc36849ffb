//! Pages that are forms, and content pages with a form.

use super::text::{paragraphs, teasers, things};
use super::town::{SmallSite, assert_left_out};

const LOGIN: &str = "<form action=\"/session\" method=\"post\"><label>Name <input name=\"user\"></label>\
    <label>Password <input type=\"password\" name=\"pass\"></label><button>Log in</button></form>";
const REGISTER: &str = "<form action=\"/users\" method=\"post\"><label>Name <input name=\"user\"></label>\
    <label>E-mail <input type=\"email\" name=\"mail\"></label><label>Password <input type=\"password\" name=\"a\"></label>\
    <label>Again <input type=\"password\" name=\"b\"></label><button>Create account</button></form>";
const RESET: &str = "<p>We will send you a new password.</p><form action=\"/reset\" method=\"post\">\
    <label>E-mail <input type=\"email\" name=\"mail\"></label><button>Send</button></form>";

const SEARCH: &str = "<form action=\"/threads\"><label>Words <input name=\"words\"></label>\
    <label>Author <input name=\"author\"></label><button>Search</button></form>";
const PREFERENCES: &str = "<p>This page lets you customize your settings.</p><form action=\"/prefs\" method=\"post\">\
    <label>Full name <input name=\"name\"></label><label>E-mail <input type=\"email\" name=\"mail\"></label>\
    <button>Save changes</button></form>";

/// A forum of threads with a link to reply, and with reader accounts.
fn forum() -> SmallSite {
    let threads: Vec<_> =
        things(12).into_iter().map(|thing| (format!("/threads/{}", thing.slug), thing.title)).collect();
    let account =
        "<p><a href=\"/login\">Log in</a> <a href=\"/register\">Register</a> <a href=\"/prefs\">Options</a></p>";
    let mut town = SmallSite::open(&format!("{account}{}", teasers(&threads)));
    for (path, title) in &threads {
        town.page(path, title, &format!("{}<p><a href=\"{path}/reply\">Reply</a></p>", paragraphs(title, 3)));
        town.junk(&format!("{path}/reply"), &format!("Reply to {title}"), &reply(title));
    }
    town
}

fn reply(title: &str) -> String {
    format!(
        "<form action=\"/posts\" method=\"post\"><label>Subject <input name=\"subject\" value=\"Re: {title}\"></label>\
         <label>Message <textarea name=\"text\" rows=\"12\"></textarea></label><button>Post reply</button></form>"
    )
}

#[test]
fn forms_are_excluded() {
    let mut town = forum();
    town.junk("/login", "Log in", &format!("{LOGIN}<p><a href=\"/password\">Forgot your password?</a></p>"));
    town.junk("/register", "Register", REGISTER);
    town.junk("/password", "Reset your password", RESET);
    town.junk("/prefs", "Preferences", PREFERENCES);
    let crawled = town.crawl_exactly();
    for form in ["/login", "/register", "/password", "/reply", "/prefs"] {
        assert_left_out(&crawled, form, &["form-page"]);
    }
}

#[test]
fn sections_of_settings_are_excluded_and_an_article_on_them_stays() {
    let mut town = forum();
    let sections = ["/prefs", "/prefs/language", "/prefs/mail"];
    let tab = |path: &&str| format!("<li><a href=\"{path}\">{path}</a></li>");
    let tabs: String = sections.iter().chain(&["/prefs/why"]).map(tab).collect();
    let section = |main: &str| {
        format!(
            "<p>Here you change what the forum shows to you and how. Settings are stored on our server, under a key \
             that your browser keeps in a cookie, so that you find them again on your next visit; without cookies \
             they last until you close the window, and then all is as it was.</p><ul>{tabs}</ul>\
             <form action=\"/prefs\" method=\"post\">{main}<button>Save</button></form>"
        )
    };
    town.junk("/prefs", "Options", &section("<label>Name <input name=\"name\"></label>"));
    let choice = "<label>Language <select name=\"l\"><option>English<option>Dansk</select></label>";
    town.junk("/prefs/language", "Options", &section(choice));
    let explained = "<p>A mail is sent for each answer to a thread that you follow, and one on each Monday with the threads \
                of the week that had most answers, unless you choose otherwise here; nobody else sees where they go \
                to, and no list of them is kept longer than it takes to send them.</p><label><input type=\"radio\">";
    town.junk("/prefs/mail", "Options", &section(explained));
    town.page("/prefs/why", "Why we ask", &format!("{}<ul>{tabs}</ul>", paragraphs("why we ask", 3)));
    let crawled = town.crawl_exactly();
    assert_left_out(&crawled, "/prefs", &["form-page", "duplicate"]);
}

#[test]
fn articles_under_the_names_of_forms_stay() {
    let mut town = forum();
    town.article("/login", "How to log in to the library");
    town.article("/register", "The parish register of 1780");
    town.article("/prefs", "What our readers prefer");
    let crawled = town.crawl_exactly();
    assert_left_out(&crawled, "/reply", &["form-page"]);
}

#[test]
fn a_contact_page_with_an_address_stays() {
    let mut town = forum();
    let address = "<p>Town hall, 12 Mill Lane, Millbrook MB4 7QX. Telephone 01632 960 123, weekdays from nine to \
        noon.</p><p>By train, leave at Millbrook East and follow the canal for ten minutes; the entrance is opposite \
        the old customs house. Visitors with wheelchairs ring at the courtyard gate.</p>";
    let form = "<form action=\"/mail\" method=\"post\"><label>E-mail <input type=\"email\" name=\"mail\"></label>\
        <label>Message <textarea name=\"text\"></textarea></label><button>Send</button></form>";
    town.page("/visit", "Contact", &format!("{address}{form}"));
    town.junk("/login", "Log in", LOGIN);
    town.junk("/register", "Register", REGISTER);
    let _ = town.crawl_exactly();
}

#[test]
fn pages_with_a_form_in_every_margin_stay() {
    let mut town = forum();
    town.junk("/login", "Log in", LOGIN);
    town.junk("/register", "Register", REGISTER);
    let search = "<form action=\"/search\"><input name=\"q\"><button>Search</button></form>";
    town.rewrite(move |_, html| html.replace("<footer>", &format!("<aside>{search}{LOGIN}</aside><footer>")));
    let _ = town.crawl_exactly();
}

#[test]
fn an_article_with_a_form_for_comments_stays() {
    let entries: Vec<_> = things(12).into_iter().map(|thing| (format!("/posts/{}", thing.slug), thing.title)).collect();
    let mut town = SmallSite::open(&teasers(&entries));
    for (path, title) in &entries {
        town.page(path, title, &format!("{}<h2>Leave a comment</h2>{}", paragraphs(title, 2), reply(title)));
    }
    let _ = town.crawl_exactly();
}

/// Each page links the login with its own address as the return URL.
#[test]
fn a_login_with_a_return_url_is_excluded() {
    let mut town = forum();
    town.junk("/login", "Log in", LOGIN);
    town.junk("/register", "Register", REGISTER);
    town.rewrite(|request, html| {
        let login = format!("<footer><a href=\"/login?return={}\">Log in</a>", request.path().replace('/', "%2F"));
        html.replace("<footer>", &login)
    });
    let crawled = town.crawl_exactly();
    assert_left_out(&crawled, "/login", &["form-page", "parameter-variant"]);
}

#[test]
fn reply_forms_by_a_parameter_are_excluded() {
    let threads: Vec<_> = things(12).into_iter().zip(1..).collect();
    let entries: Vec<_> = threads.iter().map(|(thing, id)| (format!("/thread?id={id}"), &thing.title)).collect();
    let mut town = SmallSite::open(&teasers(&entries));
    for (thing, id) in &threads {
        let link = format!("<p><a href=\"/post?reply_to={id}\">Reply</a></p>");
        town.page(&format!("/thread?id={id}"), &thing.title, &format!("{}{link}", paragraphs(&thing.title, 3)));
        town.junk(&format!("/post?reply_to={id}"), &format!("Reply to {}", thing.title), &reply(&thing.title));
    }
    let crawled = town.crawl_exactly();
    assert_left_out(&crawled, "/post?reply_to=", &["form-page"]);
}

#[test]
fn a_contact_page_with_a_short_address_stays() {
    let mut town = forum();
    let address = "<p>Town hall, 12 Mill Lane, Millbrook MB4 7QX. Telephone 01632 960 123.</p>";
    let form = "<form action=\"/mail\" method=\"post\"><label>E-mail <input type=\"email\" name=\"mail\"></label>\
        <label>Message <textarea name=\"text\"></textarea></label><button>Send</button></form>";
    town.page("/visit", "Contact", &format!("{address}{form}"));
    let _ = town.crawl_exactly();
}

/// A wiki's edit form has the complete text of the page in a field.
#[test]
fn forms_to_edit_a_page_are_excluded() {
    let entries: Vec<_> =
        things(12).into_iter().map(|thing| (format!("/wiki?title={}", thing.slug), thing.title)).collect();
    let mut town = SmallSite::open(&teasers(&entries));
    for (path, title) in &entries {
        let text = paragraphs(title, 3);
        town.page(path, title, &format!("{text}<p><a href=\"{path}&amp;action=edit\">Edit</a></p>"));
        let source = text.replace("<p>", "").replace("</p>", "\n");
        let form = format!(
            "<form method=\"post\"><textarea name=\"text\" rows=\"25\">{source}</textarea>\
             <label>Summary <input name=\"summary\"></label><button>Save</button></form>"
        );
        town.junk(&format!("{path}&action=edit"), &format!("Editing {title}"), &form);
    }
    let crawled = town.crawl_exactly();
    assert_left_out(&crawled, "action=edit", &["form-page"]);
}

/// The thread is shown below the reply field.
#[test]
fn reply_forms_that_repeat_the_thread_are_excluded() {
    let threads: Vec<_> = things(12).into_iter().map(|thing| (format!("/topic/{}", thing.slug), thing.title)).collect();
    let mut town = SmallSite::open(&format!("{}<p><a href=\"/search/\">Search</a></p>", teasers(&threads)));
    for (path, title) in &threads {
        let create = format!("{path}/post/create/");
        town.page(path, title, &format!("{}<p><a href=\"{create}\">Reply</a></p>", paragraphs(title, 3)));
        let review = format!("{}<h2>Topic review</h2>{}", reply(title), paragraphs(title, 3));
        town.junk(&create, "Post a reply", &review);
    }
    let search = "<form action=\"/search/\"><label>Words <input name=\"q\"></label><button>Search</button></form>";
    town.junk("/search/", "Search the forum", search);
    let crawled = town.crawl_exactly();
    for form in ["/post/create/", "/search/"] {
        assert_left_out(&crawled, form, &["form-page"]);
    }
}

#[test]
fn pages_under_the_names_of_forms_that_list_something_stay() {
    let entries: Vec<_> = things(12).into_iter().map(|thing| (format!("/goods/{}", thing.slug), thing.title)).collect();
    let mut town = SmallSite::open("<p><a href=\"/goods/new\">What is new</a></p>");
    let filter = "<form><label>Words <input name=\"q\"></label></form>";
    town.page("/goods/new", "New goods", &format!("{filter}{}", teasers(&entries)));
    for (path, title) in &entries {
        town.article(path, title);
    }
    town.crawl_exactly();
}

#[test]
fn a_search_by_the_value_of_a_parameter_is_excluded() {
    let articles: Vec<_> = things(8).into_iter().map(|thing| (format!("/{}", thing.slug), thing.title)).collect();
    let search = "<p><a href=\"/find?template=search\">Search</a></p>";
    let mut town = SmallSite::open(&format!("{search}{}", teasers(&articles)));
    articles.iter().for_each(|(path, title)| town.article(path, title));
    town.junk("/find?template=search", "Searching", SEARCH);
    let crawled = town.crawl_exactly();
    assert_left_out(&crawled, "template=search", &["form-page"]);
}

#[test]
fn a_post_with_comments_that_is_the_only_one_in_the_archive_of_its_month_stays() {
    let posts: Vec<_> = (1..).zip(things(6)).map(|(n, thing)| (format!("/2026/{n:02}/"), thing)).collect();
    let links: String = posts.iter().map(|(month, _)| format!("<a href=\"{month}\">{month}</a> ")).collect();
    let others: Vec<_> =
        things(14).into_iter().skip(6).map(|thing| (format!("/{}/", thing.slug), thing.title)).collect();
    let mut town = SmallSite::open(&format!("<p>{links}</p>{}", teasers(&others)));
    others.iter().for_each(|(path, title)| town.article(path, title));
    for (month, thing) in &posts {
        let path = format!("{month}{}/", thing.slug);
        let text = paragraphs(&thing.title, 3);
        town.page(
            month,
            &format!("Posts of {month}"),
            &format!("<h2><a href=\"{path}\">{}</a></h2>{text}", thing.title),
        );
        town.page(&path, &thing.title, &format!("<h2>{}</h2>{text}{}", thing.title, reply(&thing.title)));
    }
    let _ = town.crawl_exactly();
}

#[test]
fn the_results_of_a_form_do_not_exclude_its_page() {
    // A database with its tables and a query form; the tables link a few queries.
    let query = "<form action=\"/data/town\"><textarea name=\"ask\"></textarea><button>Ask</button></form>";
    let tables: Vec<_> =
        things(9).into_iter().map(|thing| (format!("/data/town/{}", thing.slug), thing.title)).collect();
    let mut town = SmallSite::open("<p><a href=\"/data/town\">The data of the town</a></p>");
    let links: String = tables.iter().map(|(path, title)| format!("<p><a href=\"{path}\">{title}</a></p>")).collect();
    town.page("/data/town", "Data", &format!("{query}{links}"));
    for (number, (path, title)) in tables.iter().enumerate() {
        let question = format!("<p><a href=\"/data/town?ask={number}\">Ask this yourself</a></p>");
        town.page(path, title, &format!("{}{question}", paragraphs(title, 3)));
        town.junk(
            &format!("/data/town?ask={number}"),
            &format!("Answer on {title}"),
            &format!("{query}<p>Of {title}: 9 rows, the oldest first.</p>"),
        );
    }
    town.crawl_exactly();
}

#[test]
fn the_results_of_a_form_do_not_exclude_its_page_though_it_links_few_others() {
    // As above, with two tables and many queries, beside articles.
    let query = "<form action=\"/data/town\"><textarea name=\"sql\"></textarea><button>Run</button></form>";
    let tables: Vec<_> =
        things(2).into_iter().map(|thing| (format!("/data/town/{}", thing.slug), thing.title)).collect();
    let articles: Vec<_> =
        things(18).into_iter().skip(2).map(|thing| (format!("/{}", thing.slug), thing.title)).collect();
    let data = "<p><a href=\"/data/town\">The data of the town</a></p>";
    let mut town = SmallSite::open(&format!("{data}{}", teasers(&articles)));
    articles.iter().for_each(|(path, title)| town.article(path, title));
    let links: String = tables.iter().map(|(path, title)| format!("<p><a href=\"{path}\">{title}</a></p>")).collect();
    town.page("/data/town", "Data", &format!("{query}{links}"));
    for (table, (path, title)) in tables.iter().enumerate() {
        let path_of = |number: usize| format!("/data/town?sql={table}{number}");
        let questions: String = (0..6).map(|n| format!("<p><a href=\"{}\">Query {n}</a></p>", path_of(n))).collect();
        town.page(path, title, &format!("{}{questions}", paragraphs(title, 3)));
        for number in 0..6 {
            let answer = format!("{query}<p>Of {title}: {number} rows, the oldest first.</p>");
            town.junk(&path_of(number), &format!("Answer {number} on {title}"), &answer);
        }
    }
    town.crawl_exactly();
}
