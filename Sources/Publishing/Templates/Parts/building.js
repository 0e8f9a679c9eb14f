// __IF_INSIDE__
const index__NAME__ = __INSIDE__;
Promise.resolve(new Building(index__NAME__, __INDEX__, __OPTIONS__)).then((building) => {
// __END_INSIDE__
// __IF_FETCHED__
Building.open(__INDEX__, __OPTIONS__).then((building) => {
// __END_FETCHED__
  const floors = new __NAME__(map, building);
  floors.showAll();
  // Leave this out if the map shows more than the building.
  floors.limitCamera();
  // floors.show("1");
  // floors.onchange = (floor) => console.log(floor.label);
  // After an update: floors.reload();
}).catch((error) => console.error(error));
