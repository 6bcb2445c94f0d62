// swift-format-ignore-file
// Written by `perilune types --swift`: write it anew when the model changes.

import Foundation
import PeriluneKit

final class Country: ManagedObject {
  var name: String {
    get { self["name"] }
    set { self["name"] = newValue }
  }
  var quakes: [Quake] {
    get { self["quakes"] }
    set { self["quakes"] = newValue }
  }

  override class var entityName: String { "Country" }
  override class var propertyNames: PropertyNames { names }
  private static let names = PropertyNames {
    $0.add("name", \Country.name)
    $0.add("quakes", \Country.quakes)
  }
}

final class Quake: ManagedObject {
  var country: Country? {
    get { self["country"] }
    set { self["country"] = newValue }
  }
  var magnitude: Double {
    get { self["magnitude"] }
    set { self["magnitude"] = newValue }
  }
  var place: String {
    get { self["place"] }
    set { self["place"] = newValue }
  }

  override class var entityName: String { "Quake" }
  override class var propertyNames: PropertyNames { names }
  private static let names = PropertyNames {
    $0.add("country", \Quake.country)
    $0.add("magnitude", \Quake.magnitude)
    $0.add("place", \Quake.place)
  }
}

/// The classes above, and the model that they were written from.
enum BoardSchema: ModelSchema {
  static let classes: [ManagedObject.Type] = [Country.self, Quake.self]
  static let model = #"{"entities":[{"name":"Country","properties":[{"name":"name","optional":false,"type":"String","unique":true},{"deleteRule":"cascade","destination":"Quake","inverse":"country","name":"quakes","toMany":true}]},{"name":"Quake","properties":[{"destination":"Country","inverse":"quakes","name":"country"},{"name":"magnitude","optional":false,"type":"Double"},{"name":"place","optional":false,"type":"String"}]}],"version":1}"#
}
