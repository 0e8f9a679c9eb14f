import GoogleMaps
import SwiftUI
import TilewrightTiles

/// Shows a building on a map. `make` writes HarbourMallFloors.swift and the folder `floors`.
@main
struct HarbourMallApp: App {
    init() {
        // Your key for the Maps SDK for iOS, from https://console.cloud.google.com.
        GMSServices.provideAPIKey("YOUR_API_KEY")
    }

    var body: some Scene {
        WindowGroup { FloorsView() }
    }
}

/// The map with the buttons for the floors, or else why there is none.
struct FloorsView: View {
    @State private var floors: HarbourMallFloors?
    @State private var problem = ""

    var body: some View {
        ZStack(alignment: .trailing) {
            if let floors {
                MapView(floors: floors).ignoresSafeArea()
                // As large as its buttons, not as high as the screen.
                HarbourMallFloors.Picker(floors: floors).fixedSize().padding()
            } else {
                Text(problem).padding()
            }
        }
        .task { await load() }
    }

    private func load() async {
        guard floors == nil else { return }
        do {
            floors = try await HarbourMallFloors.load()
        } catch {
            problem = error.localizedDescription
        }
    }
}

/// Google's map with the floors.
struct MapView: UIViewRepresentable {
    let floors: HarbourMallFloors

    func makeUIView(context: Context) -> GMSMapView {
        let mapView = GMSMapView(options: GMSMapViewOptions())
        // If Google's map or its own floor plans are in the way:
        // mapView.mapType = .none
        // mapView.isIndoorEnabled = false
        floors.add(to: mapView)
        floors.showAll()
        // Leave this out if your map shows more than the building.
        floors.limitCamera()
        return mapView
    }

    func updateUIView(_ mapView: GMSMapView, context: Context) {}
}
