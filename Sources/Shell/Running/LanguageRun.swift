internal import LanguageServer
internal import Presentation
internal import Session

/// `perilune lsp`: serves an editor on standard input and output.
package struct LanguageRun: ProgramRun {
  package var options: RunOptions
  private let store: StoreAccess
  private let showsValues: Bool

  package init(_ store: StoreAccess, showsValues: Bool, _ options: RunOptions) {
    (self.store, self.showsValues, self.options) = (store, showsValues, options)
  }

  package func run(in surroundings: Surroundings) -> Int32 {
    guard let streams = ProtocolStreams() else {
      return surroundings.fail("standard input or output is closed", ExitStatus.inputOutput)
    }
    let output = OutputSink(descriptor: streams.output)
    var served = ServedModel(store: store.path, model: store.modelPath, version: store.modelVersion)
    served.showsValues = showsValues
    let status = LanguageServer(served, output: output).serve(descriptor: streams.input)
    return output.failure?.exitStatus ?? status
  }
}
