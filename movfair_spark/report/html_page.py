"""A plain, printable HTML page that needs nothing from outside."""

from __future__ import annotations

import html

_STYLE = """
body { font: 16px/1.5 system-ui, "Segoe UI", Roboto, sans-serif; color: #1b1b1b; background: #fff;
       max-width: 56rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; margin-bottom: .2rem; } h2 { font-size: 1.25rem; margin-top: 2.2rem; border-bottom: 1px solid #ddd; }
h3 { font-size: 1.05rem; margin-bottom: .3rem; } li { margin: .35rem 0; }
h1 + p { font-size: 1.1rem; font-weight: 600; }
.wide { overflow-x: auto; } table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .7rem; text-align: right; border-bottom: 1px solid #e3e3e3; white-space: nowrap; }
thead th { border-bottom: 1px solid #888; font-weight: 600; } thead th[colspan] { text-align: center; }
th[scope=row], thead th:first-child { text-align: left; font-weight: 400; }
figure { margin: 1.2rem 0; } img { max-width: 100%; height: auto; } figcaption { font-size: .9rem; color: #444; }
@media print { body { max-width: none; margin: 0; } h2 { break-after: avoid; } figure, table { break-inside: avoid; } }
"""


def page(title: str, body: str) -> str:
    """Wrap a body (HTML) into a page."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{html.escape(title)}</h1>\n{body}\n</body>\n</html>\n"
    )
