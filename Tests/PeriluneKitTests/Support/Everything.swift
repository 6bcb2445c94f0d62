// swift-format-ignore-file
// Written by `perilune types --swift`: write it anew when the model changes.

import Foundation
import PeriluneKit

struct Origin: CompositeValue {
  var elementsValue: String?
  var latitude: Double?

  init(elementsValue: String? = nil, latitude: Double? = nil) {
    self.elementsValue = elementsValue
    self.latitude = latitude
  }

  init(_ elements: CompositeElements) {
    elementsValue = elements["elements"]
    latitude = elements["latitude"]
  }

  var elements: CompositeElements {
    var elements = CompositeElements()
    elements["elements"] = elementsValue
    elements["latitude"] = latitude
    return elements
  }

  static let propertyNames = PropertyNames {
    $0.add("elements", \Origin.elementsValue)
    $0.add("latitude", \Origin.latitude)
  }
}

struct Inner: CompositeValue {
  var code: Decimal?
  var tag: UUID?

  init(code: Decimal? = nil, tag: UUID? = nil) {
    self.code = code
    self.tag = tag
  }

  init(_ elements: CompositeElements) {
    code = elements["code"]
    tag = elements["tag"]
  }

  var elements: CompositeElements {
    var elements = CompositeElements()
    elements["code"] = code
    elements["tag"] = tag
    return elements
  }

  static let propertyNames = PropertyNames {
    $0.add("code", \Inner.code)
    $0.add("tag", \Inner.tag)
  }
}

struct Place: CompositeValue {
  var inner: Inner?
  var label: String?
  var latitude: Double
  var since: Date?

  init(inner: Inner? = nil, label: String? = nil, latitude: Double, since: Date? = nil) {
    self.inner = inner
    self.label = label
    self.latitude = latitude
    self.since = since
  }

  init(_ elements: CompositeElements) {
    inner = elements["inner"]
    label = elements["label"]
    latitude = elements["latitude"]
    since = elements["since"]
  }

  var elements: CompositeElements {
    var elements = CompositeElements()
    elements["inner"] = inner
    elements["label"] = label
    elements["latitude"] = latitude
    elements["since"] = since
    return elements
  }

  static let propertyNames = PropertyNames {
    $0.add("inner", \Place.inner)
    $0.add("label", \Place.label)
    $0.add("latitude", \Place.latitude)
    $0.add("since", \Place.since)
  }
}

class Being: ManagedObject {
  var name: String? {
    get { self["name"] }
    set { self["name"] = newValue }
  }

  override class var entityName: String { "Being" }
  override class var propertyNames: PropertyNames { names }
  private static let names = PropertyNames {
    $0.add("name", \Being.name)
  }
}

final class DateEntity: ManagedObject {
  var at: Date? {
    get { self["at"] }
    set { self["at"] = newValue }
  }

  override class var entityName: String { "Date" }
  override class var propertyNames: PropertyNames { names }
  private static let names = PropertyNames {
    $0.add("at", \DateEntity.at)
  }
}

final class Gadget: Thing {
  var watts: Int? {
    get { self["watts"] }
    set { self["watts"] = newValue }
  }

  override class var entityName: String { "Gadget" }
  override class var propertyNames: PropertyNames { names }
  private static let names = PropertyNames {
    $0.add("bytes", \Gadget.bytes)
    $0.add("class", \Gadget.`class`)
    $0.add("day", \Gadget.day)
    $0.add("extra", \Gadget.extra)
    $0.add("flag", \Gadget.flag)
    $0.add("id", \Gadget.id)
    $0.add("init", \Gadget.initValue)
    $0.add("key", \Gadget.key)
    $0.add("large", \Gadget.large)
    $0.add("link", \Gadget.link)
    $0.add("loud", \Gadget.loud)
    $0.add("maybe", \Gadget.maybe)
    $0.add("middle", \Gadget.middle)
    $0.add("name", \Gadget.name)
    $0.add("objectID", \Gadget.objectIDValue)
    $0.add("origin", \Gadget.origin)
    $0.add("origin.elements", \Gadget.origin?.elementsValue)
    $0.add("origin.latitude", \Gadget.origin?.latitude)
    $0.add("owner", \Gadget.owner)
    $0.add("parts", \Gadget.parts)
    $0.add("place", \Gadget.place)
    $0.add("place.inner", \Gadget.place.inner)
    $0.add("place.inner.code", \Gadget.place.inner?.code)
    $0.add("place.inner.tag", \Gadget.place.inner?.tag)
    $0.add("place.label", \Gadget.place.label)
    $0.add("place.latitude", \Gadget.place.latitude)
    $0.add("place.since", \Gadget.place.since)
    $0.add("price", \Gadget.price)
    $0.add("ratio", \Gadget.ratio)
    $0.add("self", \Gadget.selfValue)
    $0.add("share", \Gadget.share)
    $0.add("small", \Gadget.small)
    $0.add("strange name", \Gadget.strange_name)
    $0.add("watts", \Gadget.watts)
  }
}

final class Part: ManagedObject {
  var number: Int? {
    get { self["number"] }
    set { self["number"] = newValue }
  }
  var whole: Thing? {
    get { self["whole"] }
    set { self["whole"] = newValue }
  }

  override class var entityName: String { "Part" }
  override class var propertyNames: PropertyNames { names }
  private static let names = PropertyNames {
    $0.add("number", \Part.number)
    $0.add("whole", \Part.whole)
  }
}

final class Person: Being {
  var things: [Thing] {
    get { self["things"] }
    set { self["things"] = newValue }
  }

  override class var entityName: String { "Person" }
  override class var propertyNames: PropertyNames { names }
  private static let names = PropertyNames {
    $0.add("name", \Person.name)
    $0.add("things", \Person.things)
  }
}

class Thing: ManagedObject {
  var bytes: Data {
    get { self["bytes"] }
    set { self["bytes"] = newValue }
  }
  var `class`: String? {
    get { self["class"] }
    set { self["class"] = newValue }
  }
  var day: Date? {
    get { self["day"] }
    set { self["day"] = newValue }
  }
  var extra: AnyValue? {
    get { self["extra"] }
    set { self["extra"] = newValue }
  }
  var flag: Bool {
    get { self["flag"] }
    set { self["flag"] = newValue }
  }
  var id: Int? {
    get { self["id"] }
    set { self["id"] = newValue }
  }
  var initValue: String? {
    get { self["init"] }
    set { self["init"] = newValue }
  }
  var key: UUID {
    get { self["key"] }
    set { self["key"] = newValue }
  }
  var large: Int {
    get { self["large"] }
    set { self["large"] = newValue }
  }
  var link: URL? {
    get { self["link"] }
    set { self["link"] = newValue }
  }
  var loud: String? { self["loud"] }
  var maybe: Bool? {
    get { self["maybe"] }
    set { self["maybe"] = newValue }
  }
  var middle: Int32? {
    get { self["middle"] }
    set { self["middle"] = newValue }
  }
  var name: String {
    get { self["name"] }
    set { self["name"] = newValue }
  }
  var objectIDValue: String? {
    get { self["objectID"] }
    set { self["objectID"] = newValue }
  }
  var origin: Origin? {
    get { self["origin"] }
    set { self["origin"] = newValue }
  }
  var owner: Person? {
    get { self["owner"] }
    set { self["owner"] = newValue }
  }
  var parts: [Part] {
    get { self["parts"] }
    set { self["parts"] = newValue }
  }
  var place: Place {
    get { self["place"] }
    set { self["place"] = newValue }
  }
  var price: Decimal? {
    get { self["price"] }
    set { self["price"] = newValue }
  }
  var ratio: Double {
    get { self["ratio"] }
    set { self["ratio"] = newValue }
  }
  var selfValue: Int? {
    get { self["self"] }
    set { self["self"] = newValue }
  }
  var share: Float? {
    get { self["share"] }
    set { self["share"] = newValue }
  }
  var small: Int16 {
    get { self["small"] }
    set { self["small"] = newValue }
  }
  var strange_name: String? {
    get { self["strange name"] }
    set { self["strange name"] = newValue }
  }
  var namesakes: [Thing] { self[fetched: "namesakes"] }

  override class var entityName: String { "Thing" }
  override class var propertyNames: PropertyNames { names }
  private static let names = PropertyNames {
    $0.add("bytes", \Thing.bytes)
    $0.add("class", \Thing.`class`)
    $0.add("day", \Thing.day)
    $0.add("extra", \Thing.extra)
    $0.add("flag", \Thing.flag)
    $0.add("id", \Thing.id)
    $0.add("init", \Thing.initValue)
    $0.add("key", \Thing.key)
    $0.add("large", \Thing.large)
    $0.add("link", \Thing.link)
    $0.add("loud", \Thing.loud)
    $0.add("maybe", \Thing.maybe)
    $0.add("middle", \Thing.middle)
    $0.add("name", \Thing.name)
    $0.add("objectID", \Thing.objectIDValue)
    $0.add("origin", \Thing.origin)
    $0.add("origin.elements", \Thing.origin?.elementsValue)
    $0.add("origin.latitude", \Thing.origin?.latitude)
    $0.add("owner", \Thing.owner)
    $0.add("parts", \Thing.parts)
    $0.add("place", \Thing.place)
    $0.add("place.inner", \Thing.place.inner)
    $0.add("place.inner.code", \Thing.place.inner?.code)
    $0.add("place.inner.tag", \Thing.place.inner?.tag)
    $0.add("place.label", \Thing.place.label)
    $0.add("place.latitude", \Thing.place.latitude)
    $0.add("place.since", \Thing.place.since)
    $0.add("price", \Thing.price)
    $0.add("ratio", \Thing.ratio)
    $0.add("self", \Thing.selfValue)
    $0.add("share", \Thing.share)
    $0.add("small", \Thing.small)
    $0.add("strange name", \Thing.strange_name)
  }
}

/// The classes above, and the model that they were written from.
enum EverythingSchema: ModelSchema {
  static let classes: [ManagedObject.Type] = [Being.self, DateEntity.self, Gadget.self, Part.self, Person.self, Thing.self]
  static let model = #"{"entities":[{"abstract":true,"name":"Being","properties":[{"name":"name","type":"String"}]},{"name":"Date","properties":[{"name":"at","type":"Date"}]},{"name":"Gadget","parent":"Thing","properties":[{"name":"watts","type":"Integer64"}]},{"name":"Part","properties":[{"name":"number","type":"Integer64"},{"destination":"Thing","inverse":"parts","name":"whole"}]},{"name":"Person","parent":"Being","properties":[{"destination":"Thing","inverse":"owner","name":"things","toMany":true}]},{"fetchedProperties":[{"entity":"Thing","name":"namesakes","predicate":"name == $FETCH_SOURCE.name","sortDescriptors":["small"]}],"name":"Thing","properties":[{"name":"bytes","optional":false,"type":"Data"},{"name":"class","type":"String"},{"name":"day","type":"Date"},{"name":"extra","type":"Transformable"},{"name":"flag","optional":false,"type":"Bool"},{"name":"id","type":"Integer64"},{"name":"init","type":"String"},{"name":"key","optional":false,"type":"UUID"},{"name":"large","optional":false,"type":"Integer64"},{"name":"link","type":"URL"},{"derivation":"uppercase(name)","name":"loud","type":"String"},{"name":"maybe","type":"Bool"},{"name":"middle","type":"Integer32"},{"name":"name","optional":false,"type":"String"},{"name":"objectID","type":"String"},{"elements":[{"name":"elements","type":"String"},{"name":"latitude","type":"Double"}],"name":"origin","type":"Composite"},{"destination":"Person","inverse":"things","name":"owner"},{"deleteRule":"cascade","destination":"Part","inverse":"whole","name":"parts","ordered":true,"toMany":true},{"elements":[{"elements":[{"name":"code","type":"Decimal"},{"name":"tag","type":"UUID"}],"name":"inner","type":"Composite"},{"name":"label","type":"String"},{"name":"latitude","optional":false,"type":"Double"},{"name":"since","type":"Date"}],"name":"place","optional":false,"type":"Composite"},{"name":"price","type":"Decimal"},{"name":"ratio","optional":false,"type":"Double"},{"name":"self","type":"Integer64"},{"name":"share","type":"Float"},{"name":"small","optional":false,"type":"Integer16"},{"name":"strange name","type":"String"}]}],"version":1}"#
}
