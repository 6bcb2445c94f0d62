import Foundation
import Modeling
import TestSupport
import Testing

/// The client of the Python package `pygls` understands the server.
@Suite struct EditorPackageTests {
  /// A Python that has the package: that of `PERILUNE_LSP_PYTHON`, or else the usual one; nil if neither has.
  static let python: String? = [ProcessInfo.processInfo.environment["PERILUNE_LSP_PYTHON"], "python3"]
    .compactMap(\.self).first {
      (try? OutsideTool.run([$0, "-c", "from pygls.lsp.client import LanguageClient"]).status) == 0
    }

  private static let client = #"""
    import asyncio, json, sys
    from lsprotocol import types
    from pygls.lsp.client import LanguageClient

    async def main(program, store, root):
        client = LanguageClient("tester", "1")
        published = asyncio.Queue()

        @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def publish(parameters):
            published.put_nowait(parameters)

        await client.start_io(program, "lsp", "--store", store)
        begun = await client.initialize_async(types.InitializeParams(
            capabilities=types.ClientCapabilities(), root_uri=root))
        client.initialized(types.InitializedParams())
        uri = root + "/a.lua"
        text = "local s = \"\U0001F600\" Quake:where \"magnitud > 6\""
        client.text_document_did_open(types.DidOpenTextDocumentParams(
            types.TextDocumentItem(uri=uri, language_id="lua", version=1, text=text)))
        document = types.TextDocumentIdentifier(uri=uri)
        diagnostics = (await published.get()).diagnostics
        place = diagnostics[0].range.end
        seen = {"encoding": begun.capabilities.position_encoding, "messages": [d.message for d in diagnostics]}
        actions = await client.text_document_code_action_async(types.CodeActionParams(
            document, diagnostics[0].range, types.CodeActionContext(diagnostics)))
        seen["edits"] = [e.new_text for a in actions if a.edit for e in a.edit.changes[uri]]
        listed = await client.text_document_completion_async(types.CompletionParams(document, place))
        seen["labels"] = [i.label for i in listed.items]
        client.text_document_did_change(types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(version=2, uri=uri),
            [types.TextDocumentContentChangePartial(text="magnitude", range=diagnostics[0].range)]))
        seen["left"] = len((await published.get()).diagnostics)
        hover = await client.text_document_hover_async(types.HoverParams(document, place))
        seen["hover"] = hover.contents.value
        prepared = await client.text_document_prepare_rename_async(types.PrepareRenameParams(document, place))
        seen["prepared"] = prepared.placeholder
        renamed = await client.text_document_rename_async(types.RenameParams(document, place, "strength"))
        seen["renamed"] = [e.new_text for e in renamed.changes[uri]]
        await client.shutdown_async(None)
        client.exit(None)
        await client.stop()
        seen["status"] = client._server.returncode
        print(json.dumps(seen))

    asyncio.run(asyncio.wait_for(main(*sys.argv[1:]), 60))
    """#

  @Test(.enabled(if: python != nil, "no python3 has the package pygls; PERILUNE_LSP_PYTHON names one that has"))
  func everyRequestIsUnderstood() throws {
    let folder = try TemporaryFolder()
    let store = try EditorClient.store(in: folder)
    let python = try #require(Self.python)
    let (status, output) = try OutsideTool.run(
      [python, "-c", Self.client, BuiltProduct.perilune.path, store, "file://" + folder.path])
    try #require(status == 0)
    let seen = try JSON.parse(Array(output))
    #expect(seen["encoding"] == .string("utf-16"))
    #expect(seen["messages"]?.items == [.string("Quake has no property 'magnitud'; did you mean 'magnitude'?")])
    #expect(seen["edits"]?.items == [.string("magnitude")])
    #expect(seen["labels"]?.items == [.string("magnitude")])
    #expect(seen["left"] == .int(0))
    #expect(seen["hover"]?.string?.contains("5 of 40 match") == true)
    #expect(seen["prepared"] == .string("magnitude"))
    #expect(seen["renamed"]?.items == [.string("strength")])
    #expect(seen["status"] == .int(0))
  }
}
