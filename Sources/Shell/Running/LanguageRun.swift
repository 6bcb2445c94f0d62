internal import LanguageServer
internal import Presentation
internal import Session

/// `perilune lsp`: serves an editor on standard input and output.
package struct LanguageRun: ProgramRun {
  package var options: RunOptions
  private let store: StoreAccess
  private let showsValues: Bool
  private let showsCounts: Bool

  package init(_ store: StoreAccess, showsValues: Bool, showsCounts: Bool, _ options: RunOptions) {
    (self.store, self.options) = (store, options)
    (self.showsValues, self.showsCounts) = (showsValues, showsCounts)
  }

  package func run(in surroundings: Surroundings) -> Int32 {
    guard let streams = ProtocolStreams() else {
      return surroundings.fail("standard input or output is closed", ExitStatus.inputOutput)
    }
    let output = OutputSink(descriptor: streams.output)
    var served = ServedModel(store: store.path, model: store.modelPath, version: store.modelVersion)
    (served.showsValues, served.showsCounts) = (showsValues, showsCounts)
    let status = LanguageServer(served, output: output).serve(descriptor: streams.input)
    return output.failure?.exitStatus ?? status
  }
}
