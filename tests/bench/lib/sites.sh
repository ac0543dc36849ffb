# The sites that are crawled: the generated one, and real documentation behind nginx. To be sourced, after say.sh.
# Each sets `base`, and `site` to the process; `stop_site` ends it.

site=
base=

# start_generated OPTION…: a site of bench_site, on its own core.
start_generated() {
    rm -f "$scratch/address"
    mkfifo "$scratch/address"
    "${site_core[@]}" "$target/bench_site" "$@" >"$scratch/address" &
    site=$!
    # The line comes once the site accepts connections; where the site ends instead, the pipe does.
    read -r base <"$scratch/address" || fail 'the site did not start'
}

stop_site() {
    [[ -n $site ]] || return 0
    kill "$site" 2>/dev/null || true
    wait "$site" 2>/dev/null || true
    site=
}

# Debian's packages of documentation, each with a directory of pages that it brings.
readonly DOCUMENTATION=(
    "rust-doc=/usr/share/doc/rust-doc/html"
    "openjdk-17-doc=/usr/share/doc/openjdk-17-jre-headless/api"
    "postgresql-doc-15=/usr/share/doc/postgresql-doc-15/html"
    "python3.11-doc=/usr/share/doc/python3.11/html"
)

# prepare_docs: a directory tree of the documentation with a gzipped file beside each page, so that nginx has nothing to
# pack, and a home page that links to each. Kept from run to run. Sets `docs`.
prepare_docs() {
    docs=$peer_home/docs
    [[ -e $docs/index.html ]] && return
    local entry packages=()
    for entry in "${DOCUMENTATION[@]}"; do
        [[ -e ${entry#*=}/index.html ]] || packages+=("${entry%%=*}")
    done
    [[ -x /usr/sbin/nginx ]] || packages+=(nginx)
    if [[ ${#packages[@]} -gt 0 ]]; then
        say "installing ${packages[*]}"
        as_root sh -c "$(apt_script)" apt_script "${packages[@]}" >"$scratch/apt" 2>&1 || fail "$(tail -n 3 "$scratch/apt")"
    fi
    say 'packing the documentation, once'
    rm -rf "$docs"
    mkdir -p "$docs"
    for entry in "${DOCUMENTATION[@]}"; do
        cp -RL "${entry#*=}" "$docs/${entry%%=*}"
    done
    find "$docs" -name '*.html' -print0 | xargs -0 -n 500 -P 2 gzip --keep --force --no-name
    {
        printf '<!DOCTYPE html>\n<title>Documentation</title>\n'
        for entry in "${DOCUMENTATION[@]}"; do
            printf '<p><a href="/%s/index.html">%s</a>\n' "${entry%%=*}" "${entry%%=*}"
        done
    } >"$docs/index.html.new"
    gzip --no-name <"$docs/index.html.new" >"$docs/index.html.gz"
    mv "$docs/index.html.new" "$docs/index.html"
}

# start_docs LOG: nginx with the documentation, on its own core. It writes to LOG: status, bytes, media type, target.
start_docs() {
    local log=$1 port home=$scratch/nginx
    rm -rf "$home"
    mkdir -p "$home"
    : >"$log"
    # Another process may take a port between its being found free and nginx's using it: then the next one is tried.
    for port in 18100 18101 18102 18103 18104 18105 18106 18107; do
        nginx_config "$home" "$port" "$log" >"$home/nginx.conf"
        "${site_core[@]}" /usr/sbin/nginx -p "$home" -c "$home/nginx.conf" -e "$home/error.log" &
        site=$!
        base=http://127.0.0.1:$port
        wait_for_nginx "$port" "$home" && return
        stop_site
    done
    fail "nginx does not start: $(tail -n 1 "$home/error.log")"
}

# wait_for_nginx PORT HOME: until it accepts connections, 20 s at most.
wait_for_nginx() {
    local deadline=$((SECONDS + 20))
    while [[ $SECONDS -lt $deadline ]]; do
        kill -0 "$site" 2>/dev/null || return 1
        if [[ -s $2/nginx.pid ]] && (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; then
            return 0
        fi
    done
    return 1
}

nginx_config() {
    local home=$1 port=$2 log=$3
    cat <<EOF
daemon off;
master_process off;
pid "$home/nginx.pid";
error_log "$home/error.log";
worker_rlimit_nofile 8192;
events { worker_connections 4096; }
http {
    log_format plain '\$status \$bytes_sent \$sent_http_content_type \$request_uri';
    access_log "$log" plain;
    client_body_temp_path "$home/body";
    proxy_temp_path "$home/proxy";
    fastcgi_temp_path "$home/fastcgi";
    uwsgi_temp_path "$home/uwsgi";
    scgi_temp_path "$home/scgi";
    default_type application/octet-stream;
    types { text/html html; text/css css; application/javascript js; text/plain txt; image/png png; image/svg+xml svg; }
    sendfile on;
    tcp_nopush on;
    gzip_static on;
    gzip_vary on;
    keepalive_requests 1000000;
    server { listen 127.0.0.1:$port backlog=1024; root "$docs"; index index.html; }
}
EOF
}

# fetched_docs LOG: the paths of the distinct pages that were answered with 200, sorted.
fetched_docs() {
    awk '$1 == 200 && $3 ~ /^text\/html/ { sub(/[?#].*/, "", $4); print $4 }' "$1" | LC_ALL=C sort -u
}
