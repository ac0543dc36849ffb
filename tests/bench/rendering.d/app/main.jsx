// The application that is crawled: every route is an empty document, filled by this script from one call of JSON.
import { StrictMode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter, Link, Route, Routes, useLocation } from "react-router";
import "./main.css";

function Frame() {
    return (
        <>
            <nav className="navbar navbar-expand bg-body-tertiary">
                <div className="container">
                    <Link className="navbar-brand" to="/">Encyclopedia</Link>
                    <Link className="nav-link" to="/page/1">First page</Link>
                </div>
            </nav>
            <main className="container"><Routes><Route path="*" element={<Page />} /></Routes></main>
        </>
    );
}

function Page() {
    const { pathname } = useLocation();
    const [page, setPage] = useState(null);
    useEffect(() => {
        let isCurrent = true;
        fetch("/api" + (pathname === "/" ? "/page/0" : pathname)).then((answer) => answer.json()).then((answer) => {
            if (isCurrent) setPage(answer);
        });
        return () => { isCurrent = false; };
    }, [pathname]);
    useEffect(() => {
        if (page) document.title = page.title;
    }, [page]);
    if (!page) return <p className="placeholder-glow">Loading</p>;
    return (
        <article>
            <h1>{page.title}</h1>
            <div className="row">
                {page.pictures.map((picture) => (
                    <div className="col" key={picture}><img className="img-fluid" src={picture} alt="" /></div>
                ))}
            </div>
            {page.paragraphs.map((text, number) => <p key={number}>{text}</p>)}
            <div className="row row-cols-4">
                {page.related.map(({ path, title }) => (
                    <div className="col" key={path}>
                        <div className="card"><div className="card-body"><Link to={path}>{title}</Link></div></div>
                    </div>
                ))}
            </div>
        </article>
    );
}

createRoot(document.getElementById("root")).render(
    <StrictMode><BrowserRouter><Frame /></BrowserRouter></StrictMode>,
);
