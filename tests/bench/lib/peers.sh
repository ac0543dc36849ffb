# The other crawlers: how each is installed, and the command by which each does the same job. To be sourced, after
# say.sh and packages.sh.
#
# The job: from the home page, every page of the same host that links lead to; robots.txt obeyed; 64 requests in
# flight where the program has an option for it; nothing written.

readonly SPIDER_VERSION=2.53.9 SCRAPY_VERSION=2.13.4
# Peers are kept from run to run: one of them takes long to build.
peer_home=${BENCH_CACHE-${XDG_CACHE_HOME-$HOME/.cache}/mapwright-bench}

# Names of the peers that are there, and why others are not.
peers=()
declare -A lacking=()

# install_peers: installs all that registries carry; who is not available is named in the end.
install_peers() {
    mkdir -p "$peer_home"
    local name
    for name in wget2 spider scrapy; do
        if ! "${name}_is_there"; then
            say "installing $name"
            "install_$name" >"$peer_home/$name.log" 2>&1 || true
        fi
        if "${name}_is_there"; then
            peers+=("$name")
        else
            lacking[$name]="not installed: $(tail -n 1 "$peer_home/$name.log")"
        fi
    done
}

wget2_is_there() { command -v wget2 >/dev/null; }
install_wget2() { as_root sh -c "$(apt_script)" apt_script wget2; }

spider_is_there() { [[ $("$peer_home/spider/bin/spider" --version 2>/dev/null) == *" $SPIDER_VERSION" ]]; }
# From crates.io, as its own instructions say: with its default features.
install_spider() {
    cargo install --quiet --locked --root "$peer_home/spider" --version "=$SPIDER_VERSION" spider_cli
}

scrapy_is_there() { [[ $("$peer_home/scrapy/bin/scrapy" version 2>/dev/null) == *" $SCRAPY_VERSION" ]]; }
install_scrapy() {
    python3 -m venv "$peer_home/scrapy" && "$peer_home/scrapy/bin/pip" install --quiet "scrapy==$SCRAPY_VERSION"
}

# peer_version NAME: one line.
peer_version() {
    case $1 in
        wget2) wget2 --version | sed -n '1s/ - .*//p' ;;
        spider) "$peer_home/spider/bin/spider" --version ;;
        scrapy) "$peer_home/scrapy/bin/scrapy" version ;;
    esac
}

# peer_command NAME STARTS: puts into `command` how this peer crawls the sites whose home pages the file STARTS lists.
# Fails where the peer has no way to do that.
peer_command() {
    local name=$1 starts=$2
    case $name in
        wget2)
            # Parses from memory; documents are written nowhere. Only links between pages are followed: images, styles
            # and scripts are no part of the job. Hosts other than those given are left alone by default.
            command=(wget2 --no-config --quiet --no-hsts --recursive --level=inf --robots=on --max-threads=64
                --compression=gzip --ignore-tags=img,link,script,style,source,audio,video,embed,object
                --output-document=/dev/null --input-file="$starts") ;;
        spider)
            # One site a process; no option sets the requests in flight. Unless it prints the URLs it ends at once, with
            # nothing crawled.
            [[ $(wc -l <"$starts") -eq 1 ]] || return 1
            command=("$peer_home/spider/bin/spider" --http --respect-robots-txt --depth 1000000
                --url "$(<"$starts")" crawl --output-links) ;;
        scrapy)
            command=("$peer_home/scrapy/bin/scrapy" runspider tests/bench/spider.py -a "starts=$starts") ;;
    esac
}
