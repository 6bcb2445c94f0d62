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

  /// The locals by their names.
  package let locals: [String: Kind]

  /// The locals behind the beginning of a script.
  package init(behind beginning: String, _ model: Model?) {
    locals = ScriptReading(beginning, model: model).localsAtEnd.mapValues { meaning in
      switch meaning {
      case .entity(let entity): .entity(entity)
      case .request(let entity): .request(entity)
      case .object(let entity): .object(entity)
      case .list(let entity): .list(entity)
      case .unknown, .global, .iterator, .entities: .other
      }
    }
  }
}
