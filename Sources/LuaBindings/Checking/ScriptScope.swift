package import Modeling

/// The locals of a script at a place whose kinds of values are known without running it.
///
///     for quake in Quake:all():each() do quake.        here quake is an object of Quake
package struct ScriptScope {
  /// The kind of a value.
  package enum Kind: Sendable {
    case entity(Entity)
    case request(Entity)
    case object(Entity)
    case list(Entity)
    /// Anything else.
    case other
  }

  private let scopes: [[String: ScriptReading.Meaning]]

  /// The locals behind the beginning of a script.
  package init(behind beginning: String, _ model: Model?) {
    scopes = ScriptReading(beginning, model: model).scopesAtEnd
  }

  private init(_ scopes: [[String: ScriptReading.Meaning]]) { self.scopes = scopes }

  /// The locals at each string of a script, by the byte where it begins. O(length).
  package static func atStrings(of script: String, _ model: Model?) -> [Int: ScriptScope] {
    ScriptReading(script, model: model).scopesAtStrings.mapValues(ScriptScope.init)
  }

  /// The kind of a local; nil where there is none of that name.
  package subscript(name: String) -> Kind? {
    switch scopes.last(where: { $0[name] != nil })?[name] {
    case .entity(let entity)?: .entity(entity)
    case .request(let entity)?: .request(entity)
    case .object(let entity)?: .object(entity)
    case .list(let entity)?: .list(entity)
    case .unknown?, .global?, .iterator?, .entities?: .other
    case nil: nil
    }
  }
}
