/// Twelve steps that are typed at the prompt, on a small store in memory that goes when the tutorial ends.
///
/// To add a step, add it to `steps`; a test types every answer.
package struct Tutorial {
  /// One thing to type.
  struct Step {
    /// What to do, and why.
    var task: String
    /// A line that does it.
    var answer: String
    /// Lua that is true when it is done; `_` is the last value.
    var check: String
  }

  /// The number of the present step, from 0.
  private(set) var position = 0

  /// The present step; nil behind the last.
  var step: Step? { Self.steps.indices.contains(position) ? Self.steps[position] : nil }

  /// Goes on to the next step.
  mutating func advance() { position += 1 }

  /// The present step as it is shown.
  var text: String {
    guard let step else {
      return "That was all. `.tutorial end` goes back to your own store; ?name helps on everything.\n"
    }
    return "\(position + 1) of \(Self.steps.count)  \(step.task)\n        \(step.answer)\n"
  }

  static let steps = [
    Step(
      task: "A table is an entity, a global of its name. How many earthquakes are there?", answer: "Quake:count()",
      check: "_ == 24"),
    Step(
      task: "A predicate selects. It is a text in quotes, in the language of NSPredicate.",
      answer: "Quake:where \"magnitude >= 6\"", check: "_:count() == Quake:count \"magnitude >= 6\""),
    Step(
      task: "Values are arguments: %@ is the place of one.",
      answer: "Quake:where(\"place CONTAINS[cd] %@\", \"japan\")",
      check: "_:count() == Quake:count \"place CONTAINS[cd] 'japan'\""),
    Step(
      task: "Requests chain: sorted, the greatest first, and only three.",
      answer: "Quake:sorted(\"-magnitude\"):limit(3)", check: "_:fetch()[1].magnitude == Quake:all():max \"magnitude\""),
    Step(
      task: "One object. What is shown last is in _, so that you can go on with it.",
      answer: "Quake:find \"q7\"", check: "_.code == \"q7\""),
    Step(
      task: "Relationships are followed with points, also within predicates.",
      answer: "Quake:where \"ANY reports.intensity >= 6\"",
      check: "_:count() == Quake:count \"ANY reports.intensity >= 6\""),
    Step(
      task: "Why does an object match, or not?", answer: "Predicate(\"magnitude > 5\"):why(Quake:find \"q7\")",
      check: "tostring(_):find \"magnitude\""),
    Step(
      task: "Groups are computed in the store.",
      answer: "Quake:all():groupBy(\"place\", { n = \"count\", biggest = \"max(magnitude)\" })", check: "_[1].n"),
    Step(
      task: "Changes stay in memory until they are saved; the prompt counts them.",
      answer: "Quake:find(\"q7\").place = \"here\"", check: "Quake:find(\"q7\").place == \"here\""),
    Step(
      task: "Take it back. .diff would show what is unsaved, save() would keep it.", answer: "undo()",
      check: "Quake:find(\"q7\").place ~= \"here\""),
    Step(
      task: "Rows go out to a file by its suffix, or are shown as one.",
      answer: "show(Quake:limit(2), { mode = \"csv\" })", check: "true"),
    Step(
      task: "The same as the Swift of an app.", answer: "Quake:where(\"magnitude > %@\", 5):swift \"fetchRequest\"",
      check: "type(_) == \"string\""),
  ]

  /// Lua that makes the store: 24 earthquakes with reports.
  package static let store = """
    do
    local places = { "Namie, Japan", "Suva, Fiji", "Lata, Solomon Islands", "Kaikoura, New Zealand" }
    local s = open(":memory:", { model = Model {
      Quake = Entity {
        code = String { unique = true }, magnitude = Double, place = String, time = Date,
        reports = ToMany "Report" { inverse = "quake", deleteRule = "cascade" },
        _ = { order = { "code", "magnitude", "place", "time", "reports" } },
      },
      Report = Entity { text = String, intensity = Int, quake = ToOne "Quake" { inverse = "reports" } },
    } })
    local Quake, Report = s.entities.Quake, s.entities.Report
    for i = 1, 24 do
      local q = Quake { code = "q" .. i, magnitude = 3 + i % 9 / 2, place = places[i % 4 + 1], time = Date(1700000000 + i * 3600) }
      for j = 1, i % 3 do Report { text = "felt it", intensity = i % 5 + j, quake = q } end
    end
    s.context:save()
    use(s)
    end
    """
}
