/// A function or member of scripts with its help line. The catalog is the source of help, completion and the
/// documentation test.
///
/// Entries are declared where the function is bound, together with its body.
public struct CatalogEntry: Hashable, Sendable {
  /// The kinds of entries.
  public enum Kind: Hashable, Sendable {
    /// `name(...)`
    case function
    /// `owner:name(...)`
    case method
    /// `owner.name`
    case property
    /// A field of `owner`'s options table: `FetchRequest { fetchLimit = 10 }`.
    case option
  }

  /// The kind of the entry.
  public let kind: Kind
  /// The owner's name in help (`Request`, `Store`, ...); empty for globals.
  public let owner: String
  /// The entry's own name.
  public let name: String
  /// The call, with results after an arrow: `request:limit(n) -> request`.
  public let signature: String
  /// A description in one sentence.
  public let summary: String
  /// Lua that runs on the sample store of earthquakes; nil where none can be run.
  public let example: String?

  /// The name with its owner, as help lists it.
  public var title: String {
    switch kind {
    case .function: name
    case .method: "\(owner):\(name)"
    case .property, .option: "\(owner).\(name)"
    }
  }
}

extension CatalogEntry {
  /// An entry of a function, or of a member of a kind; `maker` is an expression with a value of the kind, and `example` that of
  /// members that have none of their own.
  init(_ kind: Kind, of owner: String = "", _ declaration: Declaration, maker: String? = nil, example: String? = nil) {
    let own = declaration.example ?? example
    let link = kind == .property ? "." : ":"
    let call = maker.map { $0 + link + declaration.name }
    self.init(
      kind: kind, owner: owner, name: declaration.name, signature: declaration.signature, summary: declaration.summary,
      example: own.map { $0.hasPrefix("(") ? (call ?? "") + $0 : $0 } ?? call)
  }

  /// The options of a function, which share its example.
  static func options(
    of owner: String, example: String, _ options: [(name: String, summary: String)]
  ) -> [CatalogEntry] {
    options.map { name, summary in
      CatalogEntry(
        kind: .option, owner: owner, name: name, signature: "\(name) = ...", summary: summary, example: example)
    }
  }
}

/// All entries, in the order of the documentation.
public struct Catalog: Sendable {
  /// The functions, members and options.
  public internal(set) var entries: [CatalogEntry] = []

  /// The entries of `owner`; the globals for "".
  public func members(of owner: String) -> [CatalogEntry] { entries.filter { $0.owner == owner } }

  /// The entries called `name`, with or without their owner.
  public func entries(named name: String) -> [CatalogEntry] {
    let plain = name.replacing(":", with: ".")
    return entries.filter { $0.name == name || $0.title.replacing(":", with: ".") == plain || $0.owner == name }
  }
}
