package import Modeling

/// The members of objects that a script names: `quake.magnitude`, and `Quake { magnitude = 5 }`.
package struct ScriptMembers {
  /// A name of a member.
  package struct Use {
    package let entity: Entity
    package let name: String
    /// Where it stands, in bytes of the script.
    package let range: Range<Int>
  }

  package let all: [Use]

  /// Reads a script without running it.
  package init(of source: String, _ model: Model) {
    all = ScriptReading(source, model: model).memberUses.map { Use(entity: $0.entity, name: $0.name, range: $0.range) }
  }
}
