"""Plays what an editor does with `perilune lsp`, with the client of pygls, and writes what it sees as JSON.

    python3 session.py PROGRAM STORE FOLDER
"""

import asyncio
import json
import sys

from lsprotocol import types
from pygls.lsp.client import LanguageClient

TEXT = 'local s = "😀" print(Quake:where "magnitud > 6")\n'


async def play(program, store, folder):
    client = LanguageClient("tests", "1")
    findings = asyncio.Queue()

    @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def published(parameters):
        findings.put_nowait(parameters.diagnostics)

    await client.start_io(program, "lsp", "--store", store)
    begun = await client.initialize_async(
        types.InitializeParams(capabilities=types.ClientCapabilities(), root_uri=f"file://{folder}"))
    client.initialized(types.InitializedParams())
    document = types.TextDocumentIdentifier(uri=f"file://{folder}/a.lua")
    client.text_document_did_open(types.DidOpenTextDocumentParams(
        types.TextDocumentItem(uri=document.uri, language_id="lua", version=1, text=TEXT)))
    seen = {"server": begun.server_info.name}
    found = await findings.get()
    seen["diagnostics"] = [[one.message, one.range.start.character, one.range.end.character] for one in found]
    actions = await client.text_document_code_action_async(
        types.CodeActionParams(document, found[0].range, types.CodeActionContext(diagnostics=found)))
    [edit] = actions[0].edit.changes[document.uri]
    client.text_document_did_change(types.DidChangeTextDocumentParams(
        types.VersionedTextDocumentIdentifier(version=2, uri=document.uri),
        [types.TextDocumentContentChangePartial(range=edit.range, text=edit.new_text)]))
    seen["corrected"] = [one.message for one in await findings.get()]
    place = types.Position(0, 39)
    items = await client.text_document_completion_async(types.CompletionParams(document, place))
    seen["completion"] = [item.label for item in items.items]
    help = await client.text_document_signature_help_async(types.SignatureHelpParams(document, place))
    seen["signature"] = help.signatures[0].label
    tokens = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
    seen["tokens"] = list(tokens.data)
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(document))
    seen["lenses"] = [lens.command.title for lens in lenses if lens.command]
    lens = await client.code_lens_resolve_async(lenses[0])
    seen["lens"] = lens.command.command
    edit = await client.text_document_rename_async(types.RenameParams(text_document=document, position=place, new_name="strength"))
    seen["renamed"] = [one.new_text for one in edit.changes[document.uri]]
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()
    print(json.dumps(seen))


asyncio.run(asyncio.wait_for(play(*sys.argv[1:]), 240))
