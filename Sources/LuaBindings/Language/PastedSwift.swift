/// The meaning of Swift source in a session: lines of Lua that run, lines that are only shown, and notes on both.
public struct PastedSwift {
  /// The Lua that declares what the source declares; nil if nothing of it can run.
  public internal(set) var lua: String?
  /// The global whose value is shown; nil for the values of `lua`.
  public internal(set) var shown: String?
  /// The global of the first request, live or not.
  public internal(set) var requestName: String?
  /// Whether the value is described rather than shown, because names in it have no values.
  public internal(set) var needsValues = false
  /// The expression that `.keep` keeps in place of `lua`.
  public internal(set) var kept: String?
  /// The notes: what is declared, how to bind parameters, what is left out.
  public internal(set) var notes: [String] = []
  /// The lines of Lua for what the source does; they are not run.
  public internal(set) var answer: [String] = []
  /// The global names of live results that a view shows, in the order of the source.
  public internal(set) var lists: [String] = []
  /// The names without a value in the first request, with their types in Swift.
  public internal(set) var parameters: [(name: String, type: String?)] = []
  /// The binding of the field whose text the view observes, as Lua: that of `.searchable`, else of the first `TextField`.
  public internal(set) var search: String?
  /// The line that sets the columns of such a request once it is live.
  public internal(set) var laterLines: [String] = []
}

extension PastedSwift {
  /// The meaning of Swift source in the session of an engine.
  public init(_ block: SwiftBlock, in engine: Engine) { self = PastedSwiftReader(engine: engine).read(block) }
}
