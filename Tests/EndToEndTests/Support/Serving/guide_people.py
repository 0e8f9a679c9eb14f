"""People who use the pages of 'open', with a mouse, with fingers or with keys."""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "Placing"))

import place_by_hand
import three_floors


class OnSheets:
    """What a person knows of the plans, whose pixels are as fine as the program draws them."""

    plan_zoom = 0.4

    @property
    def per_millimetre(self):
        width = self.page.evaluate("typeof facts === 'object' ? facts.sheets[0].width : size.width")
        return width / three_floors.WIDTH

    def pixel(self, x, y):
        return [edge * self.per_millimetre for edge in three_floors.on_sheet(x, y)]

    @staticmethod
    def place(x, y):
        return three_floors.on_earth(x, y)


class Mouse(OnSheets, place_by_hand.Mouse):
    size = (1200, 800)

    def write(self, selector, text, ends=True):
        self.press(selector)
        self.replace(text, ends)

    def replace(self, text, ends):
        self.page.send("Input.dispatchKeyEvent", type="rawKeyDown", key="a", modifiers=2,
                       windowsVirtualKeyCode=65, commands=["selectAll"])
        self.page.send("Input.dispatchKeyEvent", type="keyUp", key="a", modifiers=2, windowsVirtualKeyCode=65)
        for letter in text:
            self.page.key("Space" if letter == " " else letter)
        if ends:
            self.page.key("Enter")

    def go_to_step(self, name):
        self.press(f"#step-{name}")

    def choose_floor(self, index):
        """Chooses a floor on the map, counted from the top."""
        self.page.evaluate(f"document.querySelectorAll('#floors .floor')[{index}].id = 'floor-{index}'")
        self.press(f"#floor-{index}")

    def widen(self, pixels):
        """Pulls the right edge of the frame in the dialog."""
        x, y = self.page.middle(RIGHT_HANDLE)
        self.page.drag((x, y), (x + pixels, y))


class Finger(Mouse, place_by_hand.Finger):
    size = (390, 844)
    press = place_by_hand.Finger.press
    point = place_by_hand.Finger.point

    def widen(self, pixels):
        x, y = self.page.middle(RIGHT_HANDLE)
        self.page.swipe([(x, y)], [(x + pixels, y)])
        # A tap at once would only stop a fling.
        time.sleep(0.2)


class Keys(Mouse, place_by_hand.Keys):
    press = place_by_hand.Keys.press
    point = place_by_hand.Keys.point
    go_to_step = place_by_hand.Keys.go_to_step

    def choose_floor(self, index):
        self.page.tab_to("#floors input[type=radio]")
        while self.page.evaluate(
                "[...document.querySelectorAll('#floors .floor input')].findIndex((one) => one.checked)") != index:
            self.page.key("ArrowDown")

    def widen(self, pixels):
        self.page.tab_to(RIGHT_HANDLE)
        self.page.key("ArrowRight", times=pixels)


RIGHT_HANDLE = ".handle[data-x='1'][data-y='0']"
WAYS = {"mouse": Mouse, "touch": Finger, "keys": Keys}
