import Foundation
import LuaBindings
import TestSupport
import Testing

/// What scripts do with the store of an app, made by Examples/app-store.
@Suite final class CoreDataTests {
  private let folder = TemporaryFolder.ofThisRun.appendingPathComponent("perilune-\(UUID().uuidString)")
  private let script: Script
  private var path: String { folder.path + "/Recipes.sqlite" }

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let process = Process()
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", root.path + "/Examples/app-store/make.py", folder.path + "/Recipes.sqlite"]
    try process.run()
    process.waitUntilExit()
    script = try Script()
    try script.run("use(open('\(path)'))")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  @Test func anAppsStoreIsOnlyReadUnlessAskedFor() throws {
    let refusal = "is a Core Data store, which is only read: --write or open(path, { readOnly = false }) opens it"
    #expect(script.error("Recipe:first().rating = 1")?.contains(refusal) == true)
    #expect(script.error("Recipe { title = 'x' }")?.contains(refusal) == true)
    #expect(script.error("store:sql 'DELETE FROM ZRECIPE'") != nil)
    try script.run("use(open('\(path)', { readOnly = false })) Recipe:first().rating = 1 save()")
    #expect(try script.value("Recipe:first().rating, #store:verify()") == "1 0")
  }

  @Test func objectsAreFoundByTheirURLs() throws {
    let url = "x-coredata://6F1D4A5E-7B35-4B0B-9C36-0D0A6C1E5A11/Recipe/p2"
    #expect(try script.value("Recipe:find('\(url)').title, Recipe:find('\(url)').objectID.uri") == "Onigiri \(url)")
    #expect(try script.value("Recipe:find('\(url)9')") == "nil")
    #expect(try script.value("Step:find('\(url)')") == "nil")
    let other = "x-coredata://00000000-0000-0000-0000-000000000000/Recipe/p2"
    #expect(script.error("Recipe:find('\(other)')")?.contains("is of another store: its UUID is") == true)
    #expect(script.error("Recipe:find('x-coredata://')") != nil)
  }

  @Test func messagesNameWhatThereIs() throws {
    func error(_ source: String) -> String { script.error(source) ?? "" }
    let start = "x-coredata://6F1D4A5E-7B35-4B0B-9C36-0D0A6C1E5A11"
    #expect(error("Recipe:find('\(start)/Recip/p1')").hasSuffix("does not have; did you mean 'Recipe'?"))
    #expect(error("Recipe:find('\(start)/Recipe/tA')").hasSuffix("is of an object that was never saved"))
    #expect(error("Recipe:find('\(start)/Recipe')").hasSuffix("expected x-coredata://UUID/Entity/pNUMBER"))
    let other = "open('\(path)', { model = Model { Car = Entity { name = String } } })"
    #expect(error(other).contains("has none of its entities, it has Cuisine, Ingredient, Recipe, PartyRecipe and Step"))
    try script.run("source = store.model:source():gsub('rating = Integer16', 'rating = Int')")
    let less = "open('\(path)', { model = load('return ' .. source)(), readOnly = false })"
    #expect(error(less).hasSuffix("is not the one that the store was written with: they differ in ZRECIPE.ZRATING"))
    #expect(try script.value("open('\(path)', { model = load('return ' .. source)() }).entities.Recipe:count()") == "5")
  }

  /// Opens the store with a model whose recipes must have a cuisine, which knows nothing of them but in memory.
  private func openMandatory() throws {
    try script.run(
      """
      local source = store.model:source()
        :gsub('recipes = ToMany "Recipe" { inverse = "cuisine" }',
          'pinned = ToMany "Recipe" { unidirectional = true, transient = true }')
        :gsub('cuisine = ToOne "Cuisine" { inverse = "recipes" }',
          'cuisine = ToOne "Cuisine" { unidirectional = true, optional = false }')
      use(open('\(path)', { model = load('return ' .. source)(), readOnly = false }))
      french = Recipe:first('cuisine != nil').cuisine
      """)
  }

  @Test func deletingWhatAMandatoryToOneOfAnAppHoldsIsRefused() throws {
    try openMandatory()
    let hold = "2 objects of Recipe need it as cuisine, which is mandatory: Crêpes and Omelette"
    #expect(script.error("french:delete() save()") == "Cuisine 1: cannot be deleted: \(hold)")
    #expect(
      try script.value("context:diff()").contains("~ Recipe Crêpes  cuisine: Cuisine/1 → nil (as that is deleted)"))
    #expect(script.error("rollback() Cuisine:batchDelete('SELF == %@', french)")?.hasSuffix(hold) == true)
    #expect(try script.value("Recipe:where('cuisine == %@', french):count(), #store:verify()") == "2 0")
  }

  @Test func aTransientRelationshipOfAnAppIsNoMissingColumn() throws {
    try openMandatory()
    try script.run("french.pinned = { Recipe:first() } french.name = 'Cuisine française' save()")
    #expect(try script.value("#french.pinned, french.pinned[1] == Recipe:first(), #store:verify()") == "1 true 0")
    try script.run("Cuisine { name = 'none' } save() Cuisine:first 'name == \"none\"':delete() save()")
    #expect(
      script.error("Cuisine:where('ANY pinned.title == %@', 'a'):all()")?.contains("a transient relationship") == true)
  }

  @Test func whatStandsAgainstOneWriteIsNotSaidOfTheStore() throws {
    try script.run("use(open('\(path)', { readOnly = false }))")
    try script.run("store:sql 'UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807 WHERE Z_ENT = 5'")
    let what = "Z_PRIMARYKEY has no key left for Step: the largest one is used"
    #expect(script.error("Step { text = 'x' } save()") == "'\(path)' was not written: \(what)")
  }

  @Test func aLogIsNoStore() throws {
    let log = path + ".lost-wal"
    try Data([0x37, 0x7F, 0x06, 0x82] + [UInt8](repeating: 0, count: 4096)).write(to: URL(fileURLWithPath: log))
    defer { try? FileManager.default.removeItem(atPath: log) }
    #expect(
      script.error("open('\(path).lost', { create = true })")
        == "there is no store '\(path).lost', only its write-ahead log '\(log)': the file was left behind")
    #expect(
      script.error("open('\(log)')")
        == "'\(log)' is the write-ahead log of '\(path).lost'; open that, with the log beside it")
  }

  @Test func archivesAreTablesAndDataInFilesIsBytes() throws {
    #expect(try script.value("table.concat(Recipe:first('title == %@', 'Crêpes').tags, '+')") == "sweet+quick")
    #expect(try script.value("#Recipe:first('title == %@', 'Crêpes').photo") == "2048")
    #expect(try script.value("Recipe:where('ANY tags == %@', 'quick'):count()") == "3")
  }

  @Test func allObjectsAreCopiedIntoAnotherStoreAndBack() throws {
    try script.run("app = store own = open(':memory:', { model = store.model }) report = app:copy(own)")
    #expect(try script.value("report.counts.Recipe, report.counts.Step, #report.leftOut") == "4 10 0")
    try script.run("use(own) Recipe:first('title == %@', 'Crêpes').title = 'Galettes' save()")
    try script.run(
      """
      again = open("\(path)", { readOnly = false })
      for _, name in ipairs { "Recipe", "Step", "Ingredient", "Cuisine" } do
        again.entities[name]:batchDelete "TRUEPREDICATE"
      end
      own:copy(again)
      """)
    #expect(try script.value("#again:verify(), again.entities.Step:count()") == "0 10")
    #expect(try script.value("again.entities.Recipe:first('title == %@', 'Galettes').steps[2].text") == "Let it rest")
    #expect(script.error("own:copy(own)")?.contains("cannot be copied into itself") == true)
    #expect(script.error("own:copy(app)")?.contains("only read") == true)
    #expect(script.error("own:copy 'a.sqlite'")?.contains("expected a store") == true)
  }

  @Test func aModelIsWrittenReadAndCompared() throws {
    try script.run(
      """
      local document = store.model:source "xcdatamodel"
      os.execute "mkdir -p '\(folder.path)/Recipes.xcdatamodel'"
      local file <close> = io.open("\(folder.path)/Recipes.xcdatamodel/contents", "w")
      file:write(document)
      """)
    try script.run("read = loadModel '\(folder.path)/Recipes.xcdatamodel'")
    #expect(
      try script.value("#store.model:difference(read).changes, store.model:difference(read).isInferable") == "0 true")
    #expect(try script.value("open('\(path)', { model = read }).entities.Recipe:count()") == "5")
    #expect(
      script.error("loadModel '\(folder.path)/Recipe.xcdatamodel'")?.contains("there is no file or folder") == true)
    #expect(script.error("loadModel '\(path)'")?.contains("is not a model") == true)
    try script.run(
      """
      local function model(step) return Model { Step = Entity(step) } end
      difference = model { text = String, minutes = Int }:difference(model { words = String { renamingIdentifier = "text" },
        minutes = Double, note = String { optional = false } })
      """)
    #expect(
      try script.value("table.concat(difference.changes, '; ')")
        == "~ Step.minutes: type \"Integer64\" → \"Double\"; + Step.note; ~ Step.text is now words")
    #expect(try script.value("#difference.obstacles, difference.isInferable") == "2 false")
  }

  @Test func conditionsOfAModelAreHeldAgainstValues() throws {
    try script.run(
      """
      use(open(":memory:", { model = Model { Book = Entity {
        title = String { validation = { { "SELF CONTAINS[c] 'title'", warning = "every title has the word" } } },
        pages = Int { validation = { "SELF != 13" } },
      } } }))
      """)
    #expect(script.error("Book { title = 'none' } save()")?.contains("title: every title has the word") == true)
    #expect(script.error("rollback() Book { pages = 13 } save()")?.contains("pages: expected SELF != 13") == true)
    try script.run("rollback() Book { title = 'A Title', pages = 12 } Book {} save()")
    #expect(try script.value("Book:count()") == "2")
  }
}
