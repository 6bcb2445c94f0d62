import Foundation
import TestSupport
import Testing

/// A package that depends on this one from outside, with the types that `perilune types --swift` writes.
///
/// Its sources are compiled against the modules that were built with the tests, which takes seconds; with
/// PERILUNE_LONG_TESTS SwiftPM builds the package itself, and all that it depends on.
@Suite struct OutsidePackageTests {
  private static let root = OutsideProgram.root
  private static let support = root.appending(path: "Tests/PeriluneKitTests/Support")

  // MARK: The program

  /// What a program of others does: every property of every type, relationships, live results, sections.
  private static let program = """
    import Foundation
    import PeriluneKit

    final class Shelf {
      @FetchRequest(
        sortDescriptors: [SortDescriptor(\\.small, order: .reverse)], predicate: NSPredicate(format: "small > %@", 0))
      var things: FetchedResults<Thing>
      @SectionedFetchRequest(sectionIdentifier: \\.name, sortDescriptors: [SortDescriptor(\\.name)])
      var names: SectionedFetchResults<String, Thing>
      @Environment(\\.managedObjectContext) var context
      @AppStorage("minimum", store: PreferenceFile(path: nil)) var minimum = 1
      @Namespace var tags
    }

    let container = try PersistentContainer(CommandLine.arguments[1], for: EverythingSchema.self)
    let context = container.viewContext
    EnvironmentValues.set(\\.managedObjectContext, context)
    let shelf = Shelf()
    if shelf.things.isEmpty {
      let person = Person(context: context)
      person.name = "Ann"
      for number in 1...3 {
        let thing = number == 2 ? Gadget(context: context) : Thing(context: context)
        (thing.id, thing.small, thing.middle, thing.large) = (number, Int16(number), 4, 5)
        (thing.price, thing.ratio, thing.share, thing.name) = (Decimal(string: "1.5"), 0.5, 0.25, "n\\(number % 2)")
        (thing.flag, thing.maybe, thing.day) = (true, false, Date(timeIntervalSince1970: 0))
        (thing.key, thing.link, thing.bytes) = (UUID(), URL(string: "https://example.org"), Data([1]))
        (thing.extra, thing.place) = (.json(.array([.int(1)])), Place(inner: Inner(code: 3), latitude: 1))
        (thing.origin, thing.class, thing.initValue) = (Origin(latitude: 2), "c", "i")
        (thing.strange_name, thing.objectIDValue, thing.selfValue, thing.owner) = ("s", "o", 6, person)
        thing.parts.append(Part(context: context))
      }
      try context.save()
    }
    let token = shelf.things.onChange { print("changed:", $0.updated.count, $0.moved.count) }
    print(shelf.things.map(\\.small), shelf.names.map { "\\($0.id) \\($0.count)" }, shelf.context === context)
    for thing in shelf.things {
      print(thing.id ?? 0, thing.middle ?? 0, thing.large, thing.price ?? 0, thing.ratio, thing.share ?? 0, thing.name)
      print(thing.flag, thing.maybe ?? true, thing.day?.timeIntervalSince1970 ?? 1, thing.link?.absoluteString ?? "")
      print(Array(thing.bytes), thing.extra == .json(.array([.int(1)])), thing.place.inner?.code ?? 0)
      print(thing.origin?.latitude ?? 0, thing.class ?? "", thing.initValue ?? "", thing.strange_name ?? "", type(of: thing))
      print(thing.objectIDValue ?? "", thing.selfValue ?? 0, thing.owner?.name ?? "", thing.parts.count)
    }
    let small = Bindable(shelf.things[0]).small
    small.wrappedValue = 1
    token.cancel()
    shelf.minimum = 2
    shelf.$things.predicate.wrappedValue = FetchPredicate(#Predicate { $0.owner?.name == "Ann" && $0.small < 2 })
    try context.save()
    print(shelf.things.count, shelf.minimum, shelf.tags.resolve("none", as: String.self) ?? "no tag")
    try context.undo()
    try context.save()
    """

  private static let output: [String] =
    ["[3, 2, 1] [\"n0 1\", \"n1 2\"] true"]
    + [(3, 1, "Thing"), (2, 0, "Gadget"), (1, 1, "Thing")].flatMap { number, name, type in
      [
        "\(number) 4 5 1.5 0.5 0.25 n\(name)", "true false 0.0 https://example.org", "[1] true 3", "2.0 c i s \(type)",
        "o 6 Ann 1",
      ]
    }

  @Test(.enabled(if: OutsideProgram.canBeCompiled, "there are no modules beside the tests to compile against"))
  func aProgramOfOthersIsCompiledAndRuns() throws {
    let folder = try TemporaryFolder()
    try write(to: folder)
    let sources = ["Everything.swift", "main.swift"].map { folder.file("Sources/Shelf/\($0)") }
    try OutsideProgram.compile(sources, to: folder.file("shelf"))
    try expectOutput(of: folder.file("shelf"), in: folder)
  }

  @Test(
    .enabled(if: Effort.isLong, "the long tests build a package"))
  func aPackageOfOthersIsBuiltAndRuns() throws {
    let folder = try TemporaryFolder()
    try write(to: folder)
    // Two minutes of a processor, for everything that PeriluneKit is made of.
    try OutsideProgram.run(["swift", "build", "--package-path", folder.path], seconds: 1800)
    try expectOutput(of: folder.file(".build/debug/Shelf"), in: folder)
  }

  /// A store that the program did not make, and what it does with it.
  struct StoreOfOthers: CustomTestStringConvertible {
    var name: String
    var make: [String]
    var program: String
    var output: [String]
    var testDescription: String { name }
  }

  static let storesOfOthers = [
    StoreOfOthers(
      name: "Recipes", make: ["python3", root.appending(path: "Examples/app-store/make.py").path],
      program: """
        let recipe = try context.fetch(Recipe.self, where: \\.isFavorite == true, sortedBy: [SortDescriptor(\\.title)])[1]
        print(recipe is PartyRecipe, recipe.title, recipe.rating ?? 0, recipe.cost ?? 0, recipe.steps.count)
        recipe.title = "Tacos al pastor"
        do { try context.save() } catch { print("refused") }
        try context.rollback()
        options.writesCoreDataStores = true
        let writer = try PersistentContainer(path, for: RecipesSchema.self, options: options).viewContext
        let same = try writer.fetch(Recipe.self, where: \\.title == "Tacos")[0]
        same.title = "Tacos al pastor"
        same.steps.removeLast()
        try writer.save()
        try context.processPendingChanges()
        print(recipe.title, recipe.steps.count)
        """,
      output: ["true Tacos 5 18.4 2", "refused", "Tacos al pastor 1"]),
    StoreOfOthers(
      name: "Plain",
      make: [
        "python3", "-c",
        """
        import sqlite3, sys
        with sqlite3.connect(sys.argv[1]) as file: file.executescript(\"\"\"
          CREATE TABLE artist (id INTEGER PRIMARY KEY, name TEXT NOT NULL, any);
          CREATE TABLE album (number INTEGER PRIMARY KEY, title TEXT, artist_id INTEGER REFERENCES artist(id), self TEXT);
          INSERT INTO artist(name) VALUES ('Ann'), ('Bob');
          INSERT INTO album(title, artist_id) VALUES ('first', 1), ('second', 1);\"\"\")
        """,
      ],
      program: """
        let artists = try context.fetch(Artist.self, sortedBy: [SortDescriptor(\\.name)])
        print(artists.map(\\.name), artists[0].albums.compactMap(\\.title), artists[0].albums[0].artist_id ?? 0)
        let album = Album(context: context)
        (album.title, album.selfValue, album.artist) = ("third", "me", artists[1])
        artists[1].any = .int(4)
        try context.save()
        print(album.number ?? 0, try context.count(Album.self, where: "artist.any == \\(4)"), options.isReadOnly)
        """,
      output: ["[\"Ann\", \"Bob\"] [\"first\", \"second\"] 1", "3 1 false"]),
  ]

  @Test(
    .enabled(if: OutsideProgram.canBeCompiled, "there are no modules beside the tests to compile against"),
    arguments: storesOfOthers)
  func typesAreWrittenForTheStoreOfAnyProgram(store: StoreOfOthers) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("\(store.name).sqlite")
    try OutsideProgram.run(store.make + [path])
    let types = try OutsideProgram.run([BuiltProduct.perilune.path, "types", "--swift", path])
    try Data(types.utf8).write(to: folder.url.appending(path: "Types.swift"))
    let head = """
      import Foundation
      import PeriluneKit

      let path = CommandLine.arguments[1]
      var options = PersistentContainer.Options()
      let context = try PersistentContainer(path, for: \(store.name)Schema.self, options: options).viewContext

      """
    try Data((head + store.program).utf8).write(to: folder.url.appending(path: "main.swift"))
    try OutsideProgram.compile([folder.file("Types.swift"), folder.file("main.swift")], to: folder.file("program"))
    let lines = try OutsideProgram.run([folder.file("program"), path]).split(separator: "\n").map(String.init)
    #expect(lines == store.output)
  }

  /// The classes of the tests are what the program writes today.
  @Test func theTypesAreWrittenFromTheModel() throws {
    let model = Self.support.appending(path: "model.lua").path
    let text = try OutsideProgram.run([
      BuiltProduct.perilune.path, "types", "--swift", "--schema", "EverythingSchema", "--model", model,
    ])
    let expected = try String(contentsOf: Self.support.appending(path: "Everything.swift"), encoding: .utf8)
    #expect(text == expected, "write Everything.swift anew, as model.lua says")
    let example = Self.root.appending(path: "Examples/LiveBoard")
    let board = try OutsideProgram.run(
      [
        BuiltProduct.perilune.path, "types", "--swift", "--schema", "BoardSchema", "--model",
        example.path + "/model.lua",
      ])
    #expect(
      try board == String(contentsOf: example.appending(path: "Types.swift"), encoding: .utf8),
      "write Types.swift of LiveBoard anew, as its model.lua says")
  }

  // MARK: Running

  private func write(to folder: TemporaryFolder) throws {
    try FileManager.default.createDirectory(atPath: folder.file("Sources/Shelf"), withIntermediateDirectories: true)
    let manifest = """
      // swift-tools-version: 6.2
      import PackageDescription

      let package = Package(
        name: "Shelf",
        dependencies: [.package(name: "Perilune", path: "\(Self.root.path)")],
        targets: [
          .executableTarget(name: "Shelf", dependencies: [.product(name: "PeriluneKit", package: "Perilune")])
        ]
      )
      """
    try Data(manifest.utf8).write(to: folder.url.appending(path: "Package.swift"))
    try Data(Self.program.utf8).write(to: folder.url.appending(path: "Sources/Shelf/main.swift"))
    try FileManager.default.copyItem(
      atPath: Self.support.appending(path: "Everything.swift").path,
      toPath: folder.file("Sources/Shelf/Everything.swift"))
  }

  /// Runs the program twice: it makes a store, and finds it.
  private func expectOutput(of program: String, in folder: TemporaryFolder) throws {
    for _ in 1...2 {
      let lines = try OutsideProgram.run([program, folder.file("shelf.store")]).split(separator: "\n").map(String.init)
      #expect(Array(lines.prefix(Self.output.count)) == Self.output)
      #expect(lines.last?.hasSuffix("2 no tag") == true)
    }
  }
}
