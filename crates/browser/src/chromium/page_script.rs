//! The script that runs in each document before its own.

/// Makes what waits for frames and idle time wait for timers, which virtual time drives; shows every observed element
/// once, so that lazy parts load, and those that are still observed once more when [`SHOW_AGAIN`] calls for it; removes
/// what would reach the network beside the paused requests; blocks windows as browsers do without a click (HTML 7.2.2.1:
/// `open` returns null); and begins each document with empty storage, so that no page renders by what was rendered
/// before it.
pub(crate) const PAGE_SCRIPT: &str = r"(() => {
    const later = (run, wait) => setTimeout(() => run(performance.now()), wait);
    window.requestAnimationFrame = (run) => later(run, 16);
    window.cancelAnimationFrame = (id) => clearTimeout(id);
    window.requestIdleCallback = (run) => setTimeout(() => run({ didTimeout: false, timeRemaining: () => 10 }), 1);
    window.cancelIdleCallback = (id) => clearTimeout(id);
    const Observer = window.IntersectionObserver;
    const observers = new Set();
    window.IntersectionObserver = class extends Observer {
        #run;
        #targets = new Set();
        constructor(run, options) { super(run, options); this.#run = run; }
        #show(target) {
            const box = target.getBoundingClientRect();
            this.#run([{
                target, isIntersecting: true, isVisible: true, intersectionRatio: 1, time: performance.now(),
                boundingClientRect: box, intersectionRect: box, rootBounds: null,
            }], this);
        }
        observe(target) {
            this.#targets.add(target);
            observers.add(this);
            setTimeout(() => this.#show(target), 1);
        }
        unobserve(target) { this.#targets.delete(target); }
        disconnect() { this.#targets.clear(); }
        static again() {
            const shown = [...observers].flatMap((one) => [...one.#targets].map((target) => [one, target]));
            for (const [one, target] of shown.filter(([, target]) => target.isConnected)) one.#show(target);
            return shown.length;
        }
    };
    const again = window.IntersectionObserver.again;
    delete window.IntersectionObserver.again;
    Object.defineProperty(window, Symbol.for('mapwright.again'), { value: again });
    window.open = () => null;
    for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport']) delete window[name];
    try { localStorage.clear(); sessionStorage.clear(); } catch {}
})()";

/// Shows every element once more that the page still observes. Returns their number.
pub(crate) const SHOW_AGAIN: &str = "window[Symbol.for('mapwright.again')]?.()";
