# SPDX-License-Identifier: Apache-2.0
"""The check of links, anchors and images of the built site."""

import html.parser
import urllib.parse


class Links(html.parser.HTMLParser):
    """The anchors of a page, and what it links to."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.targets = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.anchors |= {attributes[name] for name in ("id", "name") if attributes.get(name)}
        for name in ("href", "src"):
            if attributes.get(name):
                self.targets.append(attributes[name])


def broken_links(site):
    """What links, anchors and images of the built site lead nowhere."""
    pages = {file: Links(file.read_text()) for file in sorted(site.rglob("*.html"))}
    broken, count = [], 0
    for file, links in pages.items():
        if file.name == "404.html":
            continue  # its links begin at the root of a server
        for target in links.targets:
            count += 1
            url = urllib.parse.urlsplit(target)
            if url.scheme or url.netloc:
                if target.endswith((".js", ".css")):
                    broken.append(f"{file.relative_to(site)}: {target} is on another host")
                continue
            there = file
            if url.path:
                there = (file.parent / urllib.parse.unquote(url.path)).resolve()
            if there.is_dir():
                there = there / "index.html"
            if not there.exists():
                broken.append(f"{file.relative_to(site)}: {target}: no such page or file")
            elif url.fragment and there in pages:
                if urllib.parse.unquote(url.fragment) not in pages[there].anchors:
                    broken.append(f"{file.relative_to(site)}: {target}: no such anchor")
    return broken, count, len(pages)
