internal import AppleModels
import Foundation
import Modeling
import SQLite

/// Functions that decode Core Data's own encodings.
extension SQLFunctions {
  func installCoreData(on connection: Connection) {
    connection.register(
      function: "external_data", arguments: 1, deterministic: false, context: externalData.map(Kept.init)
    ) { context, _, arguments in
      let call = SQLFunctionCall(context, arguments)
      guard case .data(let bytes) = call.value(0, .data) else { return }
      guard let kept = call.registered(as: Kept.self) else { return call.setResult(bytes) }
      if let data = kept.externalData.data(bytes) { call.setResult(data) }
    }
    connection.register(function: "archived_json", arguments: 1) { context, _, arguments in
      let call = SQLFunctionCall(context, arguments)
      guard case .data(let bytes) = call.value(0, .data) else { return }
      switch ArchivedValue.decode(bytes) {
      case .json(let json)?: call.setResult(json.text)
      // A value that cannot be opened is still a value: JSON null, which is not nil.
      case .opaque?, nil: call.setResult("null")
      }
    }
    connection.register(function: "data_base64", arguments: 1) { context, _, arguments in
      let call = SQLFunctionCall(context, arguments)
      guard case .data(let bytes) = call.value(0, .data) else { return }
      call.setResult(Data(bytes).base64EncodedString())
    }
  }

  /// The user data of an SQL function.
  private final class Kept {
    let externalData: ExternalData
    init(_ externalData: ExternalData) { self.externalData = externalData }
  }
}
