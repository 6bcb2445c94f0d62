/// The style sheet of pages.
enum PageStyle {
  static let text = """
    :root { color-scheme: light dark; --text: #1a1d21; --quiet: #5b6470; --line: #d8dde3; --paper: #fff; --raised: #f5f7f9;
      --link: #0b57b0; --mark: #ffe08a; --wrong: #b3261e; --yes: #1a7431; --cursor: #e3eefc; --new: #fff3c4; }
    @media (prefers-color-scheme: dark) {
      :root { --text: #e6e8eb; --quiet: #9aa4b0; --line: #343a42; --paper: #15181c; --raised: #1d2126; --link: #7db7ff;
        --mark: #6b5410; --wrong: #ff8a80; --yes: #7bd88f; --cursor: #1f3047; --new: #4a3e12; } }
    * { box-sizing: border-box; } [hidden] { display: none !important; }
    body { margin: 0; font: 15px/1.45 system-ui, sans-serif; color: var(--text); background: var(--paper);
      min-height: 100vh; display: flex; flex-direction: column; }
    header, main, footer { padding: .5rem 1rem; }
    header { border-bottom: 1px solid var(--line); background: var(--raised); }
    main { flex: 1; min-width: 0; }
    footer { border-top: 1px solid var(--line); background: var(--raised); color: var(--quiet); display: flex;
      flex-wrap: wrap; gap: .25rem 1.5rem; justify-content: space-between; }
    a { color: var(--link); text-decoration: none; }
    a:hover, a:focus-visible { text-decoration: underline; }
    :focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
    h1 { font-size: 1.3rem; margin: .5rem 0; } h2 { font-size: 1rem; margin: .75rem 0 .25rem; }
    header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; } header nav { flex: 1; } header a { white-space: nowrap; }
    .jump { position: relative; } .jump input { width: 9rem; padding: .1rem .5rem; } .jump .menu { left: auto; right: 0; min-width: 18rem; max-width: 90vw; }
    .found { list-style: none; padding: 0; margin: 0; } .found small { color: var(--quiet); margin-left: .5rem; } .menu .note { margin: 0 .5rem; }
    .store { font-weight: 600; } .step, .state, .note { color: var(--quiet); } .state { margin-left: 1rem; }
    #link.off { color: var(--wrong); }
    code { font-family: ui-monospace, monospace; font-size: .92em; overflow-wrap: anywhere; }
    .table { overflow: auto; border: 1px solid var(--line); border-radius: 4px; }
    table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
    th, td { padding: .2rem .6rem; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; }
    .objects th, .objects td { white-space: nowrap; max-width: 28rem; overflow: hidden; text-overflow: ellipsis; height: 28px; }
    thead th { background: var(--raised); position: sticky; top: 0; font-weight: 600; z-index: 1; }
    th.number, td.number { text-align: right; }
    .objects :is(th, td):nth-child(2) { position: sticky; left: 0; background: var(--paper); }
    .objects thead th:nth-child(2), .objects .section td { background: var(--raised); } .objects thead th:nth-child(2) { z-index: 2; }
    .place, .place a { color: var(--quiet); text-align: right; }
    .nil, .data { color: var(--quiet); }
    .entities, .object { width: 100%; } .names { color: var(--quiet); }
    .whole { white-space: pre-wrap; overflow-wrap: anywhere; max-width: 60rem; } td.whole.number { text-align: left; }
    .facet, .sections { margin-left: .35rem; color: var(--quiet); }
    .ask { display: flex; flex-wrap: wrap; gap: .5rem; align-items: baseline; position: relative; margin: .5rem 0; }
    .ask input[type=text] { flex: 1; min-width: 12rem; }
    input, button { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--quiet);
      border-radius: 4px; padding: .3rem .5rem; }
    .ask input[type=text] { font-family: ui-monospace, monospace; }
    button { background: var(--raised); cursor: pointer; }
    #mistakes { flex-basis: 100%; } #mistakes:empty { display: none; } #mistakes p { margin: .15rem 0; }
    .mistake { color: var(--wrong); } .typed { display: block; white-space: pre-wrap; color: var(--text); }
    .mistake mark { background: none; color: inherit; text-decoration: underline wavy var(--wrong); white-space: pre; }
    .yes { color: var(--yes); } .neither { color: var(--quiet); } .problem { font-size: 1.1rem; }
    .inspect { margin: .25rem 0; } .inspect a[aria-current] { font-weight: 600; text-decoration: underline; }
    .inspection pre { margin: 0; padding: .5rem .75rem; overflow: auto; border: 1px solid var(--line); border-radius: 4px;
      background: var(--raised); font: .9em/1.4 ui-monospace, monospace; }
    img.picture { max-height: 22px; max-width: 8rem; vertical-align: middle; } .object img.picture { max-width: 100%; max-height: 20rem; }
    pre.printed, pre.mistake { white-space: pre-wrap; overflow-wrap: anywhere; font: .9em/1.4 ui-monospace, monospace; }
    .notebook ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; font-size: 1.1rem; }
    #plots { display: flex; flex-wrap: wrap; gap: 1rem; } figure { margin: 0; flex: 1 1 24rem; max-width: 640px; } figure img { max-width: 100%; height: auto; }
    .control { display: inline-block; margin: .25rem 1rem .25rem 0; } .control output { margin-left: .35rem; }
    @media (scripting: enabled) { .control .set { display: none; } }
    .diagram { margin: .75rem 0; } .diagram summary { color: var(--link); cursor: pointer; } .diagram img { max-width: 100%; }
    figcaption { color: var(--quiet); } .plots { font-weight: 400; font-size: .9em; } .since h3 { font-size: .9rem; margin: .5rem 0 0; }
    .card { position: absolute; z-index: 5; max-width: 30rem; max-height: 70vh; overflow: auto; padding: 0 .5rem .5rem;
      background: var(--paper); border: 1px solid var(--quiet); border-radius: 4px; box-shadow: 0 4px 16px #0005; }
    .card h2 { margin: .4rem; } .card .editing { display: none; }
    .summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem .75rem; margin: .25rem 0 .5rem; }
    .choice { position: relative; } .choice summary { color: var(--link); cursor: pointer; }
    .choice form { position: absolute; z-index: 5; background: var(--paper); border: 1px solid var(--quiet); border-radius: 4px;
      padding: .5rem; max-height: 60vh; overflow: auto; } .choice label { display: block; white-space: nowrap; }
    .beside { display: flex; gap: 1rem; align-items: flex-start; }
    .rows { flex: 1; min-width: 0; } #facets:empty { display: none; }
    #facets { flex: 0 0 15rem; max-height: 75vh; overflow: auto; } #facets table { width: 100%; }
    #facets td { overflow-wrap: anywhere; }
    .pager { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: .5rem 0; align-items: baseline; }
    .pager .off { color: var(--quiet); opacity: .6; } .go input { width: 8rem; }
    .scrolls { height: max(20rem, calc(100vh - 15rem)); position: relative; }
    .scrolls .room { position: absolute; top: 0; left: 0; width: 1px; }
    .scrolls table { position: sticky; top: 0; left: 0; }
    .objects tr.here td { background: var(--cursor); } td.here { box-shadow: inset 0 0 0 2px var(--link); }
    tr.unsaved .place a { color: var(--wrong); }
    .objects td.changed { background: var(--new); } td.glow { animation: glow 1.5s ease-out; }
    @keyframes glow { from { background: var(--mark); } }
    #changes { margin-left: 1rem; } #changes button { padding: .05rem .5rem; } a.unsaved { color: var(--wrong); }
    form.button { display: inline; margin-left: .35rem; } form.button button { padding: .1rem .5rem; font-size: .92em; }
    .buttons { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: .5rem 0; } .buttons form.button { margin: 0; }
    form.edit { border: 1px solid var(--line); border-radius: 4px; padding: .5rem .75rem; max-width: 44rem; margin: .5rem 0; }
    form.edit label { display: block; } form.edit .name { display: block; font-weight: 600; } form.edit p { margin: .35rem 0; }
    form.edit :is(input:not([type=hidden], [type=checkbox]), textarea), .add td :is(input, textarea) { width: 100%; max-width: 40rem; }
    textarea, select { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--quiet); border-radius: 4px;
      padding: .3rem .5rem; }
    .editor { position: absolute; z-index: 6; background: var(--paper); border: 2px solid var(--link); border-radius: 4px;
      box-shadow: 0 4px 16px #0005; } .editor form.edit { border: 0; margin: 0; } .editor .problem { padding: .5rem; margin: 0; }
    dl.conflict { display: grid; grid-template-columns: max-content 1fr; gap: .15rem .75rem; margin: .35rem 0; }
    .conflict dd { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; } .conflict dt { color: var(--quiet); }
    .paste label { display: block; margin: .35rem 0; } .paste textarea { display: block; width: 100%; font: .92em ui-monospace, monospace; }
    .choices { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; } .pasted label { margin: 0; } .pasted p { margin: 0; font-size: .9em; }
    .pasted td { white-space: pre-wrap; } del { color: var(--quiet); } ins { color: var(--yes); text-decoration: none; }
    .violation { border-left: 3px solid var(--wrong); padding-left: .75rem; margin: .75rem 0; }
    .changes, .tree, .tree ul, .members { list-style: none; padding-left: 0; } .tree ul { padding-left: 1.5rem; }
    .changes li, .members li { margin: .25rem 0; } .inserted-line > code { color: var(--yes); } .deleted-line > code { color: var(--wrong); }
    .menu { position: absolute; top: 100%; left: 3.5rem; z-index: 5; margin: 0; padding: .25rem; list-style: none;
      background: var(--paper); border: 1px solid var(--quiet); border-radius: 4px; max-height: 16rem; overflow: auto; }
    .menu li { padding: .1rem .5rem; cursor: pointer; } .menu [aria-selected=true] { background: var(--cursor); }
    .menu small { color: var(--quiet); margin-left: 1rem; }
    @media (max-width: 40rem) { .beside { flex-direction: column; } #facets { flex-basis: auto; width: 100%; max-height: 14rem; }
      header, main, footer { padding: .5rem .6rem; } .names { display: none; } .add :is(table, tbody, tr, th, td) { display: block; border: 0; }
      .objects :is(th, td):nth-child(2) { position: static; } .rows { width: 100%; } }
    @media (prefers-reduced-motion: reduce) { td.glow { animation: none; } }
    @media print { #changes, .jump, .editing, form.button, .buttons, .ask button, .pager, .facet, .sections, .forms, #link { display: none; } .scrolls { height: auto; } .room, .choice, .diagram summary { display: none; }
      .scrolls table, thead th, .objects :is(th, td):nth-child(2) { position: static; } tr, figure, .inspection { break-inside: avoid; }
      header, footer { background: none; } a { color: inherit; } input { border: 0; }
      .table { overflow: visible; border: 0; } body { background: none; } }

    """
}
