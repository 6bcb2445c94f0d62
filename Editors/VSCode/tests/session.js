'use strict';

// Plays what a person does in the editor, with the extension, a stub of the editor and a real server, and writes what is shown as
// JSON: node tests/session.js PROGRAM STORE FOLDER

const Module = require('module');
const { Person } = require('./vscode');

const [program, store, folder] = process.argv.slice(2);

/** The extension over a stub of the editor. */
function extension(person) {
  for (const name of Object.keys(require.cache)) {
    if (/(extension|server|converting)\.js$/.test(name)) delete require.cache[name];
  }
  const load = Module._load;
  Module._load = (name, ...rest) => (name === 'vscode' ? person.stub : load(name, ...rest));
  try {
    return require('../extension');
  } finally {
    Module._load = load;
  }
}

/** Whether all values and all objects were counted. */
const isWhole = (lines) => lines?.length === 4 && !/\+|the first/.test(lines.join());

async function playAll() {
  const person = new Person(folder, { path: program, store, model: '', showValues: true, showCounts: true });
  const { activate, deactivate } = extension(person);
  await activate({ subscriptions: [] });
  const seen = {};
  const { made, stub } = person;

  const { document, diagnostics } = await person.open('a.lua', 'lua', 'local s = "😀" print(Quake:where "magnitud > 6")');
  seen.messages = diagnostics.map((one) => one.message);
  seen.severities = diagnostics.map((one) => one.severity);
  seen.marked = diagnostics.map((one) => document.getText(one.range));
  const token = {};
  const actions = await made.providers.codeActions.provideCodeActions(document, diagnostics[0].range, {}, token);
  const [edit] = actions[0].edit.edits.get(document.uri.toString());
  seen.action = [actions[0].title, actions[0].kind.value, actions[0].isPreferred, edit.newText];
  seen.left = (await person.type(document, edit.range, edit.newText)).map((one) => one.message);

  const behind = document.behind('magni');
  seen.completion = (await made.providers.completion.provideCompletionItems(document, behind, token)).items
    .map((item) => [item.label, item.kind, document.getText(item.range)]);
  // On a busy machine, counting ends before all is counted: then it is asked again.
  for (let tries = 0; tries < 100 && !isWhole(seen.hover); tries += 1) {
    seen.hover = (await made.providers.hover.provideHover(document, behind, token)).contents.value.split('\n\n');
  }
  seen.symbols = (await made.providers.symbols.provideDocumentSymbols(document, token)).map((one) => [one.name, one.detail]);
  const prepared = await made.providers.rename.prepareRename(document, behind, token);
  seen.prepared = [prepared.placeholder, document.getText(prepared.range)];
  const renamed = await made.providers.rename.provideRenameEdits(document, behind, 'strength', token);
  seen.renamed = [...renamed.edits.values()].flat().map((one) => one.newText);
  seen.refused = await made.providers.rename.prepareRename(document, document.behind('loc'), token)
    .then(() => 'nothing', (error) => error.message);

  const at = { start: behind, end: behind };
  const all = await made.providers.codeActions.provideCodeActions(document, at, {}, token);
  const trying = all.find((action) => action.command);
  await stub.commands.executeCommand(trying.command.command, ...trying.command.arguments);
  seen.shown = made.messages.splice(0);

  const help = await made.providers.signatures.provideSignatureHelp(document, behind, token);
  seen.signature = [help.signatures[0].label, help.signatures[0].parameters[help.activeParameter].label];
  seen.definition = await made.providers.definition.provideDefinition(document, behind, token) ?? null;
  seen.references = (await made.providers.references.provideReferences(document, behind, { includeDeclaration: true }, token))
    .map((one) => document.getText(one.range));
  seen.folds = await made.providers.folding.provideFoldingRanges(document, token);
  const whole = { start: document.behind(''), end: document.behind('6') };
  // The two have less time than a busy machine may need for 40 objects.
  const count = (text) => text?.replace('the first ', '').replace(/\d+/g, 'n');
  seen.hints = (await made.providers.hints.provideInlayHints(document, whole, token)).map((one) => count(one.label));
  const lenses = await made.providers.lenses.provideCodeLenses(document, token);
  seen.lenses = lenses.map((lens) => lens.command?.title ?? null);
  seen.count = count((await made.providers.lenses.resolveCodeLens(lenses[0], token)).command.title);
  for (const lens of lenses.slice(1)) await stub.commands.executeCommand(lens.command.command, ...lens.command.arguments);
  seen.said = made.messages.splice(0).map((text) => text.split('\n')[0].slice(0, 20));

  stub.window.activeTextEditor = { document, selection: { start: document.behind('"'), end: document.behind('😀') } };
  await stub.commands.executeCommand('perilune.runSelection');
  seen.terminal = [made.terminals[0].options.shellPath === program, made.terminals[0].options.shellArgs, made.terminals[0].sent];

  const swift = await person.open('a.swift', 'swift', 'let p = NSPredicate(format: "magnitude HASPREFIX 1")');
  seen.swift = swift.diagnostics.map((one) => one.message);
  seen.plain = await made.providers.hover.provideHover(document, document.behind('pri'), token) ?? null;

  // The new server opens the documents again.
  const reopened = person.told(document);
  await stub.commands.executeCommand('perilune.restart');
  await reopened;
  seen.afterRestart = (await person.type(document, at, 'x')).map((one) => one.message);
  await deactivate();
  seen.cleared = made.diagnostics.size;
  seen.providers = Object.keys(made.providers);

  const other = new Person(folder, { path: `${folder}/nothing`, store: '', model: '', showValues: true });
  other.stub.workspace.textDocuments.push(document);
  await extension(other).activate({ subscriptions: [] });
  seen.missing = other.made.messages;
  console.log(JSON.stringify(seen));
}

playAll().catch((error) => {
  console.error(error);
  process.exit(1);
});
