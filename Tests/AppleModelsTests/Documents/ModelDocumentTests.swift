import AppleModels
import Foundation
import Modeling
import Testing

@Suite struct ModelDocumentTests {
  private func read(_ content: String, attributes: String = "") throws(AppleModelError) -> AppleModel {
    try AppleModel(document: Array("<?xml version=\"1.0\"?>\n<model \(attributes)>\n\(content)\n</model>\n".utf8))
  }

  private func attribute(_ text: String) throws -> (attribute: Attribute, notes: [String]) {
    let read = try read("<entity name=\"Item\" representedClassName=\"Item\"><attribute name=\"a\" \(text)/></entity>")
    return (try #require(read.model.entities[0].attributes.first), read.notes)
  }

  @Test func defaultsAreReadByTheirType() throws {
    let cases: [(String, String, Value)] = [
      ("Integer 16", "defaultValueString=\"7\"", .int(7)), ("Double", "defaultValueString=\"0.5\"", .double(0.5)),
      ("Float", "defaultValueString=\"0.1\"", .double(0.1)), ("Boolean", "defaultValueString=\"YES\"", .bool(true)),
      ("Decimal", "defaultValueString=\"10.11\"", .decimal(try #require(Decimal(exactly: "10.11")))),
      ("String", "defaultValueString=\"a &lt; &#10;b\"", .string("a < \nb")),
      ("Date", "defaultDateTimeInterval=\"86400\"", .date(Timestamp(978_393_600))),
      ("URI", "defaultValueString=\"https://a.org\"", .url("https://a.org")),
    ]
    for (type, text, value) in cases {
      let read = try attribute("attributeType=\"\(type)\" \(text)")
      #expect(read.attribute.defaultValue == value && read.notes == [])
    }
    let wrong = try attribute("attributeType=\"Integer 16\" defaultValueString=\"many\"")
    #expect(wrong.attribute.defaultValue == .null)
    #expect(wrong.notes == ["Item.a: the default many is not of type Integer16"])
  }

  @Test func boundsAreValuesOfNumbersAndDatesAndLengthsOfTexts() throws {
    let number = try attribute("attributeType=\"Double\" minValueString=\"1\" maxValueString=\"2.5\"").attribute
    #expect((number.minimum, number.maximum) == (.double(1), .double(2.5)))
    let text = try attribute(
      "attributeType=\"String\" minValueString=\"1\" maxValueString=\"8\" regularExpressionString=\"[a-z]*\""
    ).attribute
    #expect((text.minimumLength, text.maximumLength, text.regularExpression) == (1, 8, "[a-z]*"))
    let date = try attribute("attributeType=\"Date\" minDateTimeInterval=\"0\"").attribute
    #expect(date.minimum == .date(Timestamp(978_307_200)))
    let broken = try attribute("attributeType=\"Integer 32\" minValueString=\"1\" defaultValueString=\"0\"").attribute
    #expect(broken.validationPredicates == [ValidationPredicate("SELF >= 1")] && broken.minimum == .null)
  }

  @Test func compositesHaveTheElementsOfTheirType() throws {
    let read = try read(
      """
      <entity name="Quake" representedClassName="Quake">
        <attribute name="place" attributeType="Composite" elementName="Place"/>
      </entity>
      <composite name="Place">
        <attribute name="city" optional="YES" attributeType="String"/>
        <attribute name="geo" attributeType="Composite" elementName="Geo"/>
      </composite>
      <composite name="Geo"><attribute name="lat" attributeType="Double"/></composite>
      """)
    let place = try #require(read.model.entities[0].attributes.first)
    #expect(place.compositeName == "Place")
    #expect(place.element(at: ["geo", "lat"])?.type == .double)
    #expect(read.notes == [])
  }

  @Test func aCompositeThatIsPartOfItselfEnds() throws {
    let part = "<attribute name=\"a\" attributeType=\"Composite\" elementName=\"C\"/>"
    let twice = part + part.replacingOccurrences(of: "\"a\"", with: "\"b\"")
    let read = try read("<entity name=\"E\">\(part)</entity><composite name=\"C\">\(twice)</composite>")
    #expect(read.notes.contains { $0.hasSuffix("its elements are not told") })
  }

  @Test(arguments: [
    ("Integer 16", "NO", Value.int(0)), ("Integer 32", "YES", .int(1)), ("Integer 64", "0.0", .int(0)),
    ("Boolean", "0.0", .bool(false)), ("Boolean", "1.0", .bool(true)), ("Boolean", "-2", .bool(true)),
    ("Boolean", "0.5", .bool(false)), ("Boolean", "00", .bool(false)), ("Boolean", "y", .bool(true)),
    ("Double", "1", .double(1)),
  ])
  func defaultsAreWhatApplesCompilerMakesOfThem(type: String, text: String, value: Value) throws {
    let read = try read(
      """
      <entity name="A"><attribute name="x" attributeType="\(type)" defaultValueString="\(text)"/></entity>
      """)
    #expect(read.model.entities[0].properties[0].attribute?.defaultValue == value)
    #expect(read.notes == [])
  }

  @Test func classesOfTheAppsModuleAndAttributesWithoutATypeAreWrittenAsTheyWere() throws {
    let body = """
      <entity name="A" representedClassName=".A"><attribute name="x" transient="YES"/></entity>
      <entity name="B" representedClassName=".Other"><attribute name="y" transient="YES" attributeType="Undefined"/></entity>
      <entity name="C" representedClassName="C"/>
      """
    let read = try read(body)
    let text = try ModelDocument(read.model).text
    for part in [
      #"name="A" representedClassName=".A""#, #"name="B" representedClassName=".Other""#, #"representedClassName="C""#,
      #"<attribute name="x" transient="YES"/>"#, #"name="y" transient="YES" attributeType="Undefined""#,
    ] {
      #expect(text.contains(part), "\(part)")
    }
    let again = try AppleModel(document: Array(text.utf8)).model
    #expect(again.encoded() == read.model.encoded())
    #expect(try Model(encoded: read.model.encoded()).encoded() == read.model.encoded())
  }

  @Test func aFetchedPropertyThatLeadsNowhereLeavesTheRestOfTheModel() throws {
    func fetched(_ name: String, _ request: String) -> String {
      "<fetchedProperty name=\"\(name)\"><fetchRequest name=\"r\" \(request)/></fetchedProperty>"
    }
    let read = try read(
      """
      <entity name="A"><attribute name="x" attributeType="String"/>\(fetched("gone", "entity=\"Nope\""))
        \(fetched("none", "predicateString=\"x == 1\""))\(fetched("odd", "entity=\"B\" predicateString=\"nope == 1\""))
      </entity>
      <entity name="B"/>
      """)
    #expect(read.model.entities.map(\.name) == ["A", "B"])
    #expect(read.model.entities[0].fetchedProperties.map(\.name) == ["odd"])
    #expect(read.notes == ["A.gone fetches Nope, which is not there", "A.none names no entity to fetch"])
  }

  @Test func classesRequestsConfigurationsAndVersionsAreRead() throws {
    let read = try read(
      """
      <entity name="A" representedClassName=".Other"/>
      <entity name="B"/>
      <fetchRequest name="big" entity="A" predicateString="cost&gt;5 &amp;&amp; cost &lt; $most" fetchLimit="3"
        includeSubentities="NO" resultType="2"/>
      <configuration name="Cloud"><memberEntity name="B"/></configuration>
      <elements><element name="A" positionX="0"/></elements>
      """, attributes: "userDefinedModelVersionIdentifier=\"1.2\"")
    #expect(read.model.entities.map(\.description.className) == [".Other", "NSManagedObject"])
    let template = try #require(read.model.fetchRequestTemplates["big"])
    #expect(template.predicate == "cost > 5 AND cost < $most")
    #expect((template.fetchLimit, template.includesSubentities, template.resultType) == (3, false, .dictionaries))
    #expect(read.model.configurations == ["Cloud": ["B"]])
    #expect(read.model.version == ModelVersion("1.2"))
    #expect(read.notes == [])
  }

  @Test func indexesKeepTheirNamesOrderAndKindOlderOnesAreLists() throws {
    let read = try read(
      """
      <entity name="A" representedClassName="A">
        <attribute name="x" attributeType="Double"/><attribute name="y" attributeType="Double" indexed="YES"/>
        <fetchIndex name="area">
          <fetchIndexElement property="x" type="RTree" order="ascending"/>
          <fetchIndexElement property="y" type="Binary" order="descending"/>
        </fetchIndex>
        <fetchIndex name="x"><fetchIndexElement property="x" type="Binary" order="ascending"/></fetchIndex>
        <compoundIndexes><compoundIndex><index value="x"/><index value="y"/></compoundIndex></compoundIndexes>
      </entity>
      """)
    let entity = read.model.entities[0].description
    #expect(entity.indexes.map(\.name) == ["area", "x", nil])
    #expect(entity.indexes[0].elements.map(\.isRTree) == [true, false])
    #expect(entity.indexes[0].elements.map(\.isAscending) == [true, false])
    #expect(entity.properties.compactMap(\.attribute).map(\.isIndexed) == [false, true])
    let written = try ModelDocument(read.model)
    #expect(written.text.contains("<fetchIndex name=\"x\">") && written.text.contains("indexed=\"YES\""))
    #expect(try AppleModel(document: Array(written.text.utf8)).model.descriptions == read.model.descriptions)
  }

  @Test func theClassOfValuesAndTheUseWithCloudKitAreKept() throws {
    let document = """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" usedWithCloudKit="YES" userDefinedModelVersionIdentifier="">
        <entity name="A" representedClassName="A">
          <attribute name="x" attributeType="Binary" customClassName="Picture"/>
          <attribute name="y" attributeType="Transformable" customClassName="Colour"/>
        </entity>
        <configuration name="Cloud" usedWithCloudKit="YES"><memberEntity name="A"/></configuration>
        <configuration name="Local" usedWithCloudKit="NO"><memberEntity name="A"/></configuration>
      </model>
      """
    let read = try AppleModel(document: Array(document.utf8))
    #expect(read.notes == [] && read.model.cloudKitConfigurations == ["Default", "Cloud"])
    #expect(read.model.entities[0].attributes.map(\.valueClassName) == ["Picture", "Colour"])
    let written = try ModelDocument(read.model)
    #expect(written.notes == [] && written.text.contains("customClassName=\"Picture\""))
    #expect(written.text.contains("<configuration name=\"Local\">"))
    let again = try AppleModel(document: Array(written.text.utf8)).model
    #expect(again.descriptions == read.model.descriptions)
    #expect(again.cloudKitConfigurations == read.model.cloudKitConfigurations)
    #expect(try Model(encoded: again.encoded()).cloudKitConfigurations == ["Default", "Cloud"])
  }

  @Test func aRelationshipWithoutAnInverseGetsNoneEvenWhereOneCouldBeFound() throws {
    let read = try read(
      """
      <entity name="A"><relationship name="b" maxCount="1" destinationEntity="B"/></entity>
      <entity name="B"><relationship name="a" optional="YES" toMany="YES" destinationEntity="A"/></entity>
      """)
    let a = try #require(read.model.entity(named: "A"))
    #expect(a.inverse(at: 0) == nil)
    #expect(try Model(encoded: read.model.encoded()).encoded() == read.model.encoded())
  }

  @Test func contradictionsAreNotedAndLeftOut() throws {
    let read = try read(
      """
      <entity name="A" parentEntity="Nowhere">
        <attribute name="a" attributeType="String"/>
        <attribute name="a" attributeType="Double"/>
        <relationship name="gone" maxCount="1" destinationEntity="Gone"/>
        <relationship name="b" maxCount="1" destinationEntity="B" inverseName="missing"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="zzz"/></uniquenessConstraint></uniquenessConstraints>
      </entity>
      <entity name="B" parentEntity="C"/>
      <entity name="C" parentEntity="B"/>
      <fetchRequest name="none" entity="Gone"/>
      <future thing="1"/>
      """)
    #expect(read.model.entities.map(\.name) == ["A", "C", "B"])
    #expect(read.model.entity(named: "A")?.properties.map(\.name) == ["a", "b"])
    #expect(
      read.notes == [
        "line 13: <future> is left out", "A inherits from Nowhere, which is not there",
        "C inherits from itself; it stands alone now",
        "A has properties without a name, or twice the same; they are left out",
        "A.gone leads to Gone, which is not there", "The fetch request none fetches Gone, which is not there",
        "A: a constraint or an index on zzz, which is not there, is left out",
        "A.b: missing does not lead back, so it has no inverse",
      ])
  }

  @Test func whatASubentityRepeatsOfItsParentIsLeftOut() throws {
    let read = try read(
      """
      <entity name="Base"><attribute name="a" attributeType="String"/></entity>
      <entity name="Sub" parentEntity="Base">
        <attribute name="a" attributeType="String"/><attribute name="b" attributeType="String"/>
      </entity>
      """)
    #expect(read.model.entity(named: "Sub")?.description.properties.map(\.name) == ["b"])
    #expect(read.notes == [])
  }

  @Test func moreThanAnyModelHasIsRefused() {
    let attributes = (0..<1100).map { "<attribute name=\"a\($0)\" attributeType=\"Integer 16\"/>" }.joined()
    #expect(throws: AppleModelError(.damaged("it has too many properties"))) {
      try read("<entity name=\"A\">\(attributes)</entity>")
    }
    let chain = (0..<100).map { "<entity name=\"E\($0)\" parentEntity=\"E\($0 + 1)\"/>" }.joined()
    #expect(throws: AppleModelError(.damaged("its entities inherit from one another more than 64 levels deep"))) {
      try read(chain + "<entity name=\"E100\"/>")
    }
  }

  @Test func mistakesInTheTextAreToldWithTheirLine() {
    let mistakes = [
      ("<model>\n<entity name=\"A\">\n</model>", "line 3: </model> ends nothing that began"),
      ("<model>\n\n<entity name=A/></model>", "line 3: name is not in quotes"),
      ("<model a=\"1\" a=\"2\"/>", "line 1: the attribute a is given twice"),
      ("<model>\n", "line 2: model does not end"), ("<model x=\"&unknown;\"/>", "line 1: &unknown; means nothing"),
      ("<!DOCTYPE model [<!ENTITY a \"b\">]><model/>", "line 1: it declares entities, which no model does"),
      ("<model/><model/>", "line 1: there is something after the end"),
      (String(repeating: "<a>", count: 500), "line 1: its elements nest more than 100 levels deep"),
    ]
    for (text, sentence) in mistakes {
      #expect(throws: AppleModelError(.damaged(sentence))) { try AppleModel(document: Array(text.utf8)) }
    }
    #expect(throws: AppleModelError(.notAModel(expected: "<model>", found: "<plist>"))) {
      try AppleModel(document: Array("<!-- a --><plist version='1.0'/>".utf8))
    }
  }
}
