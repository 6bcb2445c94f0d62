import Modeling
import Stores
import Testing

/// What a plan says of itself before anything is changed.
@Suite struct MigrationStepTests {
  @Test(arguments: [
    (MigrationStep.addEntity("Quake"), "+ Quake"), (.removeEntity("Quake"), "- Quake, with all its objects"),
    (.renameEntity(from: "Shock", to: "Quake"), "~ Shock is now Quake"),
    (.moveEntity("Quake"), "~ Quake has another place in the hierarchy"),
    (.renumberKeys("Quake"), "~ Quake: its objects get new keys"),
    (.addAttribute(entity: "Quake", name: "depth", value: .double(0)), "+ Quake.depth = 0.0"),
    (.addAttribute(entity: "Quake", name: "depth", value: .null), "+ Quake.depth"),
    (.addRelationship(entity: "Quake", name: "reports"), "+ Quake.reports"),
    (.removeProperty(entity: "Quake", name: "depth"), "- Quake.depth, with its values"),
    (.renameProperty(entity: "Quake", from: "mag", to: "magnitude"), "~ Quake.mag is now magnitude"),
    (
      .convertAttribute(entity: "Quake", name: "depth", from: .string, to: .double),
      "~ Quake.depth from String to Double"
    ),
    (.requireProperty(entity: "Quake", name: "code", value: .int(1)), "~ Quake.code is required = 1"),
    (.makeOptional(entity: "Quake", name: "code"), "~ Quake.code is optional"),
    (.changeRelationship(entity: "Quake", name: "reports", to: ["a", "b"]), "~ Quake.reports: a, b"),
    (.changeDerivation(entity: "Quake", name: "total"), "~ Quake.total is computed anew"),
    (.addUniqueness(entity: "Quake", properties: ["a", "b"]), "+ unique Quake (a, b)"),
    (.removeUniqueness(entity: "Quake", properties: ["a"]), "- unique Quake (a)"),
    (.addIndex(entity: "Quake", properties: ["a", "b"]), "+ index Quake (a, b)"),
    (.removeIndex(entity: "Quake", properties: ["a"]), "- index Quake (a)"),
    (.addFetch("Quake.similar"), "+ Quake.similar"),
    (.changeFetch("template big"), "~ template big fetches something else"),
    (.removeFetch("template big"), "- template big"),
  ])
  func eachStepIsALine(_ step: MigrationStep, _ line: String) { #expect(step.description == line) }
}
