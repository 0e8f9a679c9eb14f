#if canImport(SwiftUI)
    public import SwiftUI

    /// Buttons for the floors of a building, the uppermost at the top.
    ///
    ///     FloorPicker(building, selection: $floor)
    ///
    /// VoiceOver reads a floor's label, and whether it is chosen.
    public struct FloorPicker: View {
        private let building: Building
        @Binding private var selection: String

        /// Buttons for a building. The selection is the name of the floor that is shown.
        public init(_ building: Building, selection: Binding<String>) {
            (self.building, _selection) = (building, selection)
        }

        /// The buttons; if there is no room for all, they can be scrolled.
        public var body: some View {
            if building.floors.count > 1 {
                let buttons = VStack(spacing: 0) { ForEach(building.floors.reversed(), content: button) }
                ViewThatFits(in: .vertical) {
                    buttons
                    ScrollView { buttons }
                }
                .fixedSize(horizontal: true, vertical: false)
                .background(.regularMaterial, in: RoundedRectangle(cornerRadius: 8))
                .accessibilityElement(children: .contain)
                .accessibilityLabel(building.name)
            }
        }

        private func button(_ floor: Floor) -> some View {
            let isChosen = floor.name == selection
            return Button {
                selection = floor.name
            } label: {
                Text(floor.shortName)
                    .font(.body.weight(isChosen ? .bold : .regular))
                    // 44 points, as Apple advises for what fingers touch.
                    .frame(minWidth: 44, minHeight: 44)
                    .foregroundStyle(isChosen ? Color.white : Color.primary)
                    .background(isChosen ? Color.accentColor : Color.clear)
            }
            .buttonStyle(.plain)
            .accessibilityLabel(floor.label)
            .accessibilityAddTraits(isChosen ? .isSelected : [])
        }
    }
#endif
