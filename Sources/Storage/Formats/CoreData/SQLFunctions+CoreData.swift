internal import AppleModels
internal import CSQLite
import Foundation
import Modeling
import SQLite

/// Functions that read what Core Data keeps in forms of its own.
extension SQLFunctions {
  func installCoreData(on connection: Connection) {
    connection.register(
      function: "external_data", arguments: 1, deterministic: false, context: externalData.map(Kept.init)
    ) { context, _, arguments in
      guard case .data(let bytes) = value(arguments?[0], .data) else { return }
      guard let kept = sqlite3_user_data(context) else { return result(context, .data(bytes)) }
      let externalData = Unmanaged<Kept>.fromOpaque(kept).takeUnretainedValue().externalData
      if let data = externalData.data(bytes) { result(context, .data(data)) }
    }
    connection.register(function: "archived_json", arguments: 1) { context, _, arguments in
      guard case .data(let bytes) = value(arguments?[0], .data) else { return }
      switch ArchivedValue.decode(bytes) {
      case .json(let json)?: result(context, json.text)
      // What cannot be opened is something all the same: a null that is no nil.
      case .opaque?, nil: result(context, "null")
      }
    }
    connection.register(function: "data_base64", arguments: 1) { context, _, arguments in
      guard case .data(let bytes) = value(arguments?[0], .data) else { return }
      result(context, Data(bytes).base64EncodedString())
    }
  }

  /// What a function is given as its context.
  private final class Kept {
    let externalData: ExternalData
    init(_ externalData: ExternalData) { self.externalData = externalData }
  }
}
