internal import LuaBindings
internal import Queries
internal import Session
internal import Transfer

/// `perilune subset`: makes a store with a valid part of another one.
package struct SubsetRun: ProgramRun {
  package var options: RunOptions
  private let source: String
  private let target: String
  /// The texts of the requests for the first objects.
  package var from: [String] = []
  package var follow: [String] = []
  package var sample = 1.0
  /// The attributes to mask, with the names of their masks.
  package var masks: [(name: String, value: String)] = []
  /// The file with the secret from which masks are derived; nil for a random one.
  package var secretFile: String?
  /// Whether the attributes without a mask are listed, and nothing else is done.
  package var listsUnmasked = false
  /// Whether the report alone is wanted.
  package var isDryRun = false

  package init(_ source: String, _ target: String, _ options: RunOptions) {
    (self.source, self.target, self.options) = (source, target, options)
  }

  package func run(in surroundings: Surroundings) -> Int32 {
    inSession(surroundings, StoreAccess()) { session in
      let console = session.session.parts.console
      return session.finish(
        session.guarding {
          let store = try console.openToRead(source)
          var part = SubsetOptions()
          part.from = try from.map { try FetchRequest(subset: $0, in: store.model) }
          (part.follow, part.sample) = (follow, sample)
          let secret = try secretFile.map { try MaskSecret(String(decoding: readFile($0), as: UTF8.self)) } ?? .random()
          let rules = try masks.map { MaskRule($0.name, try Mask($0.value)) }
          let masks = rules.isEmpty ? nil : try Masks(rules, secret, for: store)
          if listsUnmasked { return console.showUnmasked(masks, in: store) }
          try console.writeSubset(of: store, part, masks: masks, to: isDryRun ? nil : target)
        })
    }
  }
}
