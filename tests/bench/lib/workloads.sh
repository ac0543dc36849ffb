# The workloads, and how each is run by mapwright, its peers and the bare loops. To be sourced, after sites.sh and
# peers.sh. Every run adds a row to $rows.

# Most pages that peers are given, and most that the bare loops fetch: what they do later is what they did before.
readonly PEER_PAGES=100000

# run_workload NAME
run_workload() {
    case $1 in
        10k) generated 10k 10000 1 0 ;;
        100k) generated 100k 100000 1 0 ;;
        1m) generated 1m 1000000 1 0 ;;
        latency) generated latency 30000 1 50 ;;
        origins) generated origins 50 1000 0 ;;
        recrawl) recrawl ;;
        docs) documentation ;;
    esac
}

# generated WORKLOAD PAGES ORIGINS LATENCY: every tool in turn, as many times as there are rounds.
generated() {
    local workload=$1 pages=$2 origins=$3 latency=$4 round tool
    shape=(--pages "$pages" --seed "$SEED" --origins "$origins")
    say "$workload: a site of $pages pages, origins: $origins, latency: $latency ms"
    start_generated "${shape[@]}" --latency-ms "$latency"
    "$target/bench_site" --starts "$base" "${shape[@]}" >"$scratch/starts"
    "$target/bench_site" --fetched "$base" "${shape[@]}" | head -n "$PEER_PAGES" >"$scratch/urls" || true
    for ((round = 1; round <= rounds; round++)); do
        crawl "$workload" mapwright --site "$base" "${shape[@]}"
        if [[ $((pages * origins)) -le $PEER_PAGES ]]; then
            for tool in "${peers[@]}"; do
                run_peer "$workload" "$tool" --site "$base" "${shape[@]}"
            done
        fi
        run_loops "$workload" --site "$base" "${shape[@]}"
    done
    stop_site
}

# recrawl: a crawl, and another one of the same record while nothing changed. Peers keep nothing to compare with.
recrawl() {
    local round
    shape=(--pages 100000 --seed "$SEED" --origins 1)
    say 'recrawl: a site of 100000 pages, crawled twice'
    start_generated "${shape[@]}"
    "$target/bench_site" --starts "$base" "${shape[@]}" >"$scratch/starts"
    for ((round = 1; round <= rounds; round++)); do
        crawl recrawl 'mapwright, first' --site "$base" "${shape[@]}"
        crawl_again recrawl mapwright --site "$base" "${shape[@]}"
    done
    stop_site
}

# documentation: real pages behind nginx, which is started again for each tool, so that each has a log of its own.
documentation() {
    local round tool all
    prepare_docs
    say "docs: $(find "$docs" -name '*.html' | wc -l) files of documentation behind nginx"
    rm -f "$scratch"/docs.*
    for ((round = 1; round <= rounds; round++)); do
        for tool in mapwright "${peers[@]}" 'loop, wire' 'loop, gunzip'; do
            document "$tool" "$scratch/docs.$round.${tool// /-}"
        done
    done
    # The truth of real pages is what all crawlers together found.
    all=$(cat "$scratch"/docs.*.mapwright "${peers[@]/#/"$scratch/docs.1."}" | LC_ALL=C sort -u | wc -l)
    sed -i "/^docs\t/ s/\$/\twanted=$all/" "$rows"
}

# document TOOL PAGES: one run of one tool; the paths of the pages it fetched go to PAGES.
document() {
    local tool=$1 pages=$2 count
    start_docs "$scratch/nginx.log"
    printf '%s/\n' "$base" >"$scratch/starts"
    case $tool in
        mapwright) crawl docs mapwright ;;
        loop*) sed "s|^|$base|" "$scratch/paths" >"$scratch/urls" && run_loop docs "$tool" ;;
        *) run_peer docs "$tool" ;;
    esac
    stop_site
    fetched_docs "$scratch/nginx.log" >"$pages"
    count=$(wc -l <"$pages")
    sed -i "\$ s/\$/\tpages=$count\tfound=$count/" "$rows"
    # What the loops fetch: the pages of mapwright, on the port of the next server.
    [[ $tool != mapwright ]] || cp "$pages" "$scratch/paths"
}

# measured WORKLOAD TOOL ARGUMENT… -- COMMAND…: one run on the crawlers' core.
measured() {
    say "$1: $2"
    if ! "$target/bench_run" --workload "$1" --tool "$2" --printed "$scratch/printed" "${@:3}" >>"$rows"; then
        tail -n 5 "$scratch/printed" >&2
        # A peer may end with what it thinks of broken links; what it fetched is counted all the same.
        [[ $2 != mapwright* && $2 != loop* ]] || failures+=("$1: $2")
    fi
    tail -n 1 "$rows" >&2
}

# crawl WORKLOAD TOOL ARGUMENT…: mapwright, from nothing.
crawl() {
    rm -rf "$scratch/out" "$scratch/state"
    mkdir "$scratch/out" "$scratch/state"
    crawl_again "$@"
}

# crawl_again WORKLOAD TOOL ARGUMENT…: mapwright, with the record that is there.
crawl_again() {
    local further starts kept=()
    read -r -a further <<<"${CRAWL-}"
    mapfile -t starts <"$scratch/starts"
    # Only of generated sites is the truth known.
    [[ $# -le 2 ]] || kept=(--sitemap "$scratch/out" --state "$scratch/state")
    measured "$@" "${kept[@]}" -- "${crawl_core[@]}" "$target/mapwright" crawl "${starts[@]}" \
        --out "$scratch/out" --state "$scratch/state" --concurrency "$CONCURRENCY" --no-progress "${further[@]}"
}

# run_peer WORKLOAD NAME ARGUMENT…
run_peer() {
    local command=()
    if ! peer_command "$2" "$scratch/starts"; then
        lacking["$2 ($1)"]='not run: it takes one site a process'
        return
    fi
    # In the foreground of this script, so that an interrupt reaches it.
    measured "$@" -- timeout --foreground --kill-after=10 "$cap" "${crawl_core[@]}" "${command[@]}"
}

# run_loops WORKLOAD ARGUMENT…: both bare loops.
run_loops() {
    run_loop "$1" 'loop, wire' "${@:2}"
    run_loop "$1" 'loop, gunzip' "${@:2}"
}

# run_loop WORKLOAD TOOL ARGUMENT…: one bare loop over the URLs in $scratch/urls, gzip left alone or unpacked.
run_loop() {
    local unpack=()
    [[ $2 != 'loop, gunzip' ]] || unpack=(--gunzip)
    measured "$@" -- "${crawl_core[@]}" "$loop" --urls "$scratch/urls" --flight "$CONCURRENCY" "${unpack[@]}"
}
