package import LuaBindings
internal import Modeling
internal import Stores

/// All that a program needs to write scripts: how they are run, the predicate language, every function and member, and the entities
/// of the open store. It is Markdown, made from the lists that help is made of.
package struct ScriptGuide {
  private let engine: Engine

  package init(_ engine: Engine) { self.engine = engine }

  package var text: String {
    [Self.running, Self.script, predicates, members, entities].compactMap(\.self).joined(separator: "\n")
  }

  private static let running = """
    # Scripts for Perilune

    Scripts are Lua 5.4, with the objects of a store in place of SQL.

    - `perilune STORE script.lua ARGUMENTS` runs a script, `perilune STORE -e 'LUA'` shows the value of an expression; with `--json`,
      results are a JSON object a line. STORE is an SQLite file, the store of an app, `postgres://...`, or a file of rows.
    - `perilune check script.lua --store STORE --format json` finds mistakes without running anything.
    - `--read-only`, `--dry-run`, `--sandbox`, `--timeout SECONDS` and `--memory-limit MB` limit a script. Nothing is written before
      `save()`.
    - Standard output has results alone. Messages have their place: `script.lua:7: error: ...`. `perilune --help` lists the statuses.
    - Values go into predicates as arguments, `where("code == %@", code)`, and never into their text.

    """

  /// A script that shows what most scripts do.
  private static let script = """
    ## A script

    Each entity is a global of its name, as is `store`. For a store with an entity `Quake` that has `reports`:

    ```lua
    local strong = Quake:where("magnitude >= %@ AND ANY reports.text CONTAINS[c] %@", 1, "felt"):sorted("-magnitude")
    print(strong:count())
    for quake in strong:limit(3):each() do print(quake.code, quake.magnitude, #quake.reports) end
    local groups = Quake:all():groupBy("place", { n = "count", biggest = "max(magnitude)" })
    for _, group in ipairs(groups) do print(group.place, group.n, group.biggest) end
    local quake = Quake:first("code == %@", "us1")
    quake.place = "here"
    Report { text = "felt it", quake = quake }
    save()
    ```

    """

  private var predicates: String {
    let topics = PredicateTopic.all.map { "- `\($0.form)` \($0.text) As in `\($0.example)`" }
    return """
      ## Predicates

      The language is that of NSPredicate. A nil is neither more nor less than a value: a condition on it is neither true nor false, and
      neither is its NOT.

      \(topics.joined(separator: "\n"))

      Functions: \(FunctionNames.all.map { "`\(FunctionNames.signature($0) ?? $0)`" }.joined(separator: ", "))

      """
  }

  // MARK: Functions and members

  private var members: String {
    var owners: [String] = []
    for entry in engine.catalog.entries where !owners.contains(entry.owner) { owners.append(entry.owner) }
    let known = Set(engine.catalog.members(of: "Request").map { Line($0) })
    return owners.map { owner in
      var lines = engine.catalog.members(of: owner).map { Line($0) }
      let isShort = owner != "Request" && lines.filter(known.contains).count > known.count / 2
      if isShort { lines.removeAll(where: known.contains) }
      let title = owner.isEmpty ? "Functions" : owner
      return "## \(title)\n\n" + (isShort ? "All of Request, and:\n\n" : "") + lines.map(\.text).joined()
    }.joined(separator: "\n")
  }

  /// A function or a member on one line.
  private struct Line: Hashable {
    /// What stands behind the owner, which is the same for all that share it.
    let call: String
    let summary: String
    let isOption: Bool

    init(_ entry: CatalogEntry) {
      isOption = entry.kind == .option
      let signature = entry.signature
      let end = signature.firstIndex { ":.".contains($0) }
      let isMember = entry.kind == .method || entry.kind == .property
      call = isMember ? end.map { String(signature[$0...]) } ?? signature : signature
      summary = entry.summary
    }

    var text: String { "- `\(isOption ? "{ \(call) }" : call)` \(summary)\n" }
  }

  // MARK: Entities

  /// The entities of the open store; nil without one.
  private var entities: String? {
    engine.store.map { store in
      "## Entities of the store\n\n"
        + store.model.entities.map { entity in
          let parent = entity.parent.map { ": \($0.name)" } ?? ""
          let properties = entity.properties.indices.map { index in
            let property = entity.properties[index]
            let notes = EntityHelp.notes(at: index, of: entity, in: store).map { ", \($0)" }.joined()
            return "- `\(property.name)` \(EntityHelp.typeText(property))\(notes)\n"
          }
          return "### \(entity.name)\(parent)\n\n" + properties.joined()
        }.joined(separator: "\n")
    }
  }
}
