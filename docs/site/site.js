// SPDX-License-Identifier: Apache-2.0
// Light or dark, and the search, also of pages that were opened from files.
(() => {
  'use strict';
  const root = document.documentElement;

  // Light or dark: as chosen before, else as the system is.
  const stored = (value) => {
    try {
      if (value) localStorage.setItem('posse-site-theme', value);
      return localStorage.getItem('posse-site-theme');
    } catch {
      return null;  // pages from files may have no storage
    }
  };
  const system = matchMedia('(prefers-color-scheme: dark)');
  const show = () => {
    root.dataset.theme = stored() || root.dataset.chosen || (system.matches ? 'dark' : 'light');
    const button = document.getElementById('theme');
    if (button) button.textContent = root.dataset.theme === 'dark' ? 'Light' : 'Dark';
  };
  show();
  system.addEventListener('change', show);

  function addThemeButton() {
    const place = document.querySelector('.wy-side-nav-search');
    if (!place) return;
    const button = document.createElement('button');
    button.id = 'theme';
    button.type = 'button';
    button.addEventListener('click', () => {
      root.dataset.chosen = root.dataset.theme === 'dark' ? 'light' : 'dark';
      stored(root.dataset.chosen);
      show();
    });
    place.append(button);
    show();
  }

  // The search: lunr over an index that is a script, since pages from files may not fetch.
  const MOST_RESULTS = 50;
  const loaded = (src) => new Promise((done, failed) => {
    const script = document.createElement('script');
    script.src = src;
    script.onload = done;
    script.onerror = () => failed(new Error(src + ' can’t be loaded'));
    document.head.append(script);
  });

  async function startSearch() {
    const input = document.getElementById('mkdocs-search-query');
    const results = document.getElementById('mkdocs-search-results');
    if (!input || !results) return;
    input.form.addEventListener('submit', (event) => event.preventDefault());
    input.value = new URLSearchParams(location.search).get('q') || '';
    try {
      await loaded('search/lunr.js');
      await loaded('search/index.js');
    } catch (error) {
      results.textContent = error.message;
      return;
    }
    const documents = new Map(searchDocuments.map((one) => [one.location, one]));
    const index = lunr(function() {
      this.ref('location');
      this.field('title', {boost: 10});
      this.field('text');
      for (const one of searchDocuments) this.add(one);
    });
    const find = () => {
      const words = lunr.tokenizer(input.value).map(String);
      // All words must be there; the last one may be the beginning of a word.
      const found = !words.length ? [] : index.query((query) => {
        for (const [i, word] of words.entries()) {
          const last = i + 1 === words.length;
          query.term(word, {presence: last ? undefined : lunr.Query.presence.REQUIRED});
          if (last) query.term(word, {wildcard: lunr.Query.wildcard.TRAILING, usePipeline: false});
        }
      });
      results.replaceChildren(...found.slice(0, MOST_RESULTS).map(({ref}) => {
        const {title, text} = documents.get(ref);
        const article = document.createElement('article'), head = document.createElement('h3'),
              link = document.createElement('a'), summary = document.createElement('p');
        link.href = ref;
        link.textContent = title;
        head.append(link);
        summary.textContent = around(text, words);
        article.append(head, summary);
        return article;
      }));
      if (!found.length)
        results.textContent = words.length ? 'Nothing found.' : 'What are you looking for?';
      else if (found.length > MOST_RESULTS)
        results.append(`The first ${MOST_RESULTS} of ${found.length} results.`);
    };
    input.addEventListener('input', find);
    find();
  }
  /// The part of a text where the first of the words is.
  function around(text, words) {
    const lower = text.toLowerCase();
    const at = Math.min(...words.map((word) => {
      const found = lower.indexOf(word);
      return found < 0 ? text.length : found;
    }));
    const from = at < text.length ? Math.max(0, text.lastIndexOf(' ', Math.max(0, at - 60))) : 0;
    return (from > 0 ? '…' : '') + text.slice(from, from + 220) + (from + 220 < text.length ? '…' : '');
  }

  document.addEventListener('DOMContentLoaded', () => {
    addThemeButton();
    startSearch();
  });
})();
