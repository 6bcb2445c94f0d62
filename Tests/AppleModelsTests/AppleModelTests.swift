import AppleModels
import Modeling
import Testing

@Suite(.enabled(if: RealModels.areThere, "the real stores are not beside the repository"))
struct AppleModelTests {
  /// A compiled model and a cache do not have the class of a transformable attribute's values.
  private func withoutValueClasses(_ model: Model) throws -> String {
    let descriptions = model.descriptions.map { description in
      var description = description
      description.properties = description.properties.map { property in
        guard case .attribute(var attribute) = property else { return property }
        attribute.valueClassName = nil
        return .attribute(attribute)
      }
      return description
    }
    return try Model(
      descriptions, version: model.version, fetchRequestTemplates: model.fetchRequestTemplates,
      configurations: model.configurations
    ).encoded()
  }

  @Test(arguments: ["", "2", "3"])
  func aDocumentAndWhatItIsCompiledToAreTheSameModel(suffix: String) throws {
    let document = try AppleModel(
      path: RealModels.path(RealModels.sample + ".xcdatamodeld"), version: "SampleModel" + suffix)
    let compiled = try AppleModel(path: RealModels.path(RealModels.sample + ".momd"), version: "SampleModel" + suffix)
    #expect(try withoutValueClasses(document.model) == withoutValueClasses(compiled.model))
    #expect(document.notes == [] && compiled.notes == [])
  }

  @Test(arguments: [1, 2])
  func aDocumentAndTheCopyThatAStoreKeepsAreTheSameModel(version: Int) throws {
    let suffix = version == 1 ? "" : "2"
    let document = try AppleModel(
      path: RealModels.path(RealModels.sample + ".xcdatamodeld"), version: "SampleModel" + suffix)
    let cached = try AppleModel(modelCache: RealModels.cache(RealModels.sample + "_V\(version)"))
    #expect(try withoutValueClasses(document.model) == withoutValueClasses(cached.model))
    #expect(cached.notes == [])
  }

  @Test(arguments: [3, 5])
  func indexesOfDocumentsAndOfStoresAreTheSame(version: Int) throws {
    let path = RealModels.path("BrowserServicesKit/Bookmarks/BookmarksModel.xcdatamodeld")
    let document = try AppleModel(path: path, version: "BookmarksModel \(version)")
    let cached = try AppleModel(modelCache: RealModels.cache(RealModels.bookmarks + "_V\(version)"))
    #expect(document.model.encoded() == cached.model.encoded())
  }

  @Test func ofAModelMadeInCodeAStoreKeepsConditionsDerivationsAndFetchedProperties() throws {
    let read = try AppleModel(modelCache: RealModels.cache("CoreDataPlus/SampleModel2/SampleModel2_V1"))
    let book = try #require(read.model.entity(named: "Book")?.description)
    let title = try #require(book.properties.compactMap(\.attribute).first { $0.name == "title" })
    #expect((title.minimumLength, title.maximumLength) == (3, 50))
    let condition = ValidationPredicate(#"SELF CONTAINS "title""#, warning: "Title must contain 'title'.")
    #expect(title.validationPredicates == [condition])
    #expect(book.properties.compactMap(\.attribute?.derivation) == ["pages.@count"])
    let author = try #require(read.model.entity(named: "Author")?.description)
    #expect(
      author.fetchedProperties.map(\.fetchRequest.predicate) == [
        "authorAlias == $FETCH_SOURCE.alias AND comment CONTAINS[c] $FETCHED_PROPERTY.userInfo.search",
        "authorAlias == $FETCH_SOURCE.alias",
      ])
    #expect(author.fetchedProperties.map(\.userInfo) == [["search": "great"], [:]])
    #expect(author.fetchedProperties.map(\.fetchRequest.sortDescriptors) == [[], ["rating"]])
    #expect(author.properties.map(\.name) == ["alias", "siteURL", "books"])
    #expect(read.model.configurations["SampleConfigurationV1"]?.count == 6)
    #expect(
      read.notes == [
        "Book.title: the warning of its bounds is left out: Title must have a length between 3 and 50 chars.",
        "Book.cover: the default, of the class CoreDataPlus_Tests.Cover, is left out",
      ])
  }

  @Test func entitiesComeInTheOrderInWhichStoresNumberThem() throws {
    let read = try AppleModel(modelCache: RealModels.cache("CoreDataPlus/SampleModel2/SampleModel2_V1"))
    #expect(read.model.entities.map(\.name) == ["Book", "GraphicNovel", "Feedback", "Page", "Writer", "Author"])
  }

  @Test func ofSeveralVersionsTheCurrentOneIsReadOrTheOneThatIsNamed() throws {
    let path = RealModels.path("BrowserServicesKit/Bookmarks/BookmarksModel.xcdatamodeld")
    let versions = try AppleModel.versions(at: path)
    #expect(versions.filter(\.isCurrent).map(\.name) == ["BookmarksModel 6"])
    #expect(versions.count == 6)
    let current = try AppleModel(path: path + "/")
    #expect(current.model.entities[0].index(of: "isStub") != nil)
    #expect(throws: AppleModelError.self) { try AppleModel(path: path, version: "BookmarksModel 7") }
    do throws(AppleModelError) {
      _ = try AppleModel(path: path, version: "BookmarksModel 66")
    } catch {
      guard case .unknownVersion("BookmarksModel 66", let known, let nearest) = error.fact else {
        Issue.record("\(error)")
        return
      }
      #expect(known.count == 6 && nearest == "BookmarksModel 6")
    }
  }
}
