//! The script that runs in each document before its own.

/// Makes what waits for frames and idle time wait for timers, which virtual time drives; shows every observed element
/// once, so that lazy parts load; removes what would reach the network beside the paused requests; and begins each
/// document with empty storage, so that no page renders by what was rendered before it.
pub(crate) const PAGE_SCRIPT: &str = r"(() => {
    const later = (run, wait) => setTimeout(() => run(performance.now()), wait);
    window.requestAnimationFrame = (run) => later(run, 16);
    window.cancelAnimationFrame = (id) => clearTimeout(id);
    window.requestIdleCallback = (run) => setTimeout(() => run({ didTimeout: false, timeRemaining: () => 10 }), 1);
    window.cancelIdleCallback = (id) => clearTimeout(id);
    const Observer = window.IntersectionObserver;
    window.IntersectionObserver = class extends Observer {
        #run;
        constructor(run, options) { super(run, options); this.#run = run; }
        observe(target) {
            const box = target.getBoundingClientRect();
            setTimeout(() => this.#run([{
                target, isIntersecting: true, isVisible: true, intersectionRatio: 1, time: performance.now(),
                boundingClientRect: box, intersectionRect: box, rootBounds: null,
            }], this), 1);
        }
        unobserve() {}
        disconnect() {}
    };
    for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport']) delete window[name];
    try { localStorage.clear(); sessionStorage.clear(); } catch {}
})()";
