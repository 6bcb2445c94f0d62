public import Modeling

/// A model as the XML of a `.xcdatamodel`, which Xcode opens.
///
/// ```swift
/// let document = try ModelDocument(model)
/// document.text                // <?xml version="1.0" …
/// document.notes               // ["Quake.code: the condition SELF != "none" is left out"]
/// ```
///
/// Reading it gives the same model, except for the parts that the notes name, and for the order of entities and properties.
public struct ModelDocument: Sendable {
  /// The content of the file `contents`.
  public let text: String
  /// What Xcode's format cannot say of the model.
  public let notes: [String]
  /// The model that is read from the text.
  public let model: Model

  /// Writes a model.
  ///
  /// - Throws: if nothing that Xcode reads can be made of it.
  public init(_ model: Model) throws(AppleModelError) {
    let form = AppleForm(model)
    self.model = try form.model()
    notes = form.notes
    // Written in the form that is read, so that the same model has one text.
    text = ModelDocumentWriter(AppleForm(self.model), of: self.model).text
  }
}
