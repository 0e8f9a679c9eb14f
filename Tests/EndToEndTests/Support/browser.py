"""Drives Chromium through its debugging pipe with real pointer, touch and key events.

Needs no library: messages are JSON with a NUL byte behind each (--remote-debugging-pipe).
"""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


class Page:
    """A page of a browser of its own, and what it asks servers for."""

    def __init__(self, url, width=1200, height=800, touch=False, dark=False, downloads=None,
                 ready="typeof solution === 'object'", language="en"):
        self.ready = ready
        self.requests, self.problems, self.identifier, self.buffer = [], [], 0, b""
        self.profile = tempfile.mkdtemp(prefix="tilewright-browser-")
        program = shutil.which("chromium") or shutil.which("google-chrome")
        commands, self.commands = os.pipe()
        self.answers, answers = os.pipe()
        for descriptor in (commands, answers):
            os.set_inheritable(descriptor, True)
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{commands} 4>&{answers}', "bash", program,
             "--headless=new", "--no-sandbox", "--no-first-run", "--hide-scrollbars",
             f"--lang={language}", f"--accept-lang={language}", "--remote-debugging-pipe",
             f"--user-data-dir={self.profile}", "about:blank"],
            pass_fds=(commands, answers), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self.session = None
        target = next(one for one in self.wait_for_targets() if one["type"] == "page")
        attached = self.send("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self.session = attached["sessionId"]
        if downloads:
            self.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(downloads))
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=touch)
        if touch:
            self.send("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=2)
        if dark:
            self.send("Emulation.setEmulatedMedia",
                      features=[{"name": "prefers-color-scheme", "value": "dark"}])
        self.go(url)

    def wait_for_targets(self):
        for _ in range(200):
            targets = self.send("Target.getTargets")["targetInfos"]
            if any(one["type"] == "page" for one in targets):
                return targets
            time.sleep(0.05)
        raise RuntimeError("the browser has no page")

    def go(self, url):
        """Opens an address, and waits until the page is ready."""
        self.send("Page.navigate", url=url)
        self.wait(f"document.readyState === 'complete' && {self.ready}")

    def reload(self):
        self.evaluate("window.isOld = true")
        self.send("Page.reload")
        self.wait(f"window.isOld === undefined && {self.ready}")

    def wait(self, condition, seconds=20):
        end = time.time() + seconds
        while time.time() < end:
            try:
                if self.evaluate(condition):
                    return
            except RuntimeError:
                pass
            time.sleep(0.03)
        raise RuntimeError(f"did not happen: {condition}; {self.problems}")

    def send(self, method, **parameters):
        self.identifier += 1
        message = {"id": self.identifier, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.identifier:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.note(answer)

    def note(self, event):
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            if parameters["entry"]["source"] != "network":
                self.problems.append(parameters["entry"]["text"])

    def receive(self):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.answers], [], [], 30)
            if not ready:
                raise RuntimeError("the browser does not answer")
            part = os.read(self.answers, 1 << 20)
            if not part:
                raise RuntimeError("the browser has ended")
            self.buffer += part
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def evaluate(self, script):
        result = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description") or details["text"])
        return result["result"].get("value")

    def box(self, selector):
        """Left, top, width and height of an element, scrolled into view."""
        return self.evaluate(f"""(() => {{ const e = document.querySelector({json.dumps(selector)});
            e.scrollIntoView({{block: 'nearest'}}); const b = e.getBoundingClientRect();
            return [b.left, b.top, b.width, b.height]; }})()""")

    def middle(self, selector):
        left, top, width, height = self.box(selector)
        return left + width / 2, top + height / 2

    # The mouse

    def mouse(self, kind, x, y, buttons=0):
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left" if buttons else "none",
                  buttons=buttons, clickCount=1)

    def click(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.send("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button="left", buttons=1,
                  clickCount=1)
        self.send("Input.dispatchMouseEvent", type="mouseReleased", x=x, y=y, button="left", buttons=0,
                  clickCount=1)

    def click_on(self, selector):
        self.click(*self.middle(selector))

    def drag(self, start, end, steps=8):
        self.mouse("mouseMoved", *start)
        self.send("Input.dispatchMouseEvent", type="mousePressed", x=start[0], y=start[1], button="left",
                  buttons=1, clickCount=1)
        for step in range(1, steps + 1):
            share = step / steps
            self.mouse("mouseMoved", start[0] + (end[0] - start[0]) * share,
                       start[1] + (end[1] - start[1]) * share, buttons=1)
        self.send("Input.dispatchMouseEvent", type="mouseReleased", x=end[0], y=end[1], button="left",
                  buttons=0, clickCount=1)

    # Fingers

    def touch(self, kind, points):
        self.send("Input.dispatchTouchEvent", type=kind, touchPoints=[
            {"x": x, "y": y, "id": index} for index, (x, y) in enumerate(points)])

    def tap(self, x, y):
        self.touch("touchStart", [(x, y)])
        self.touch("touchEnd", [])

    def tap_on(self, selector):
        self.tap(*self.middle(selector))

    def swipe(self, starts, ends, steps=10):
        """Moves one finger or two."""
        self.touch("touchStart", starts)
        for step in range(1, steps + 1):
            share = step / steps
            self.touch("touchMove", [(a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)
                                     for a, b in zip(starts, ends)])
        self.touch("touchEnd", [])

    # Keys

    def key(self, name, shift=False, ctrl=False, times=1):
        modifiers = (8 if shift else 0) | (2 if ctrl else 0)
        text = name if len(name) == 1 and not ctrl else {"Enter": "\r", "Space": " "}.get(name, "")
        key = " " if name == "Space" else name
        codes = {"Enter": 13, "Tab": 9, "Delete": 46, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39,
                 "ArrowDown": 40, "Space": 32, "Backspace": 8, ",": 188, "-": 189, ".": 190}
        code = codes.get(name, ord(name.upper()) if len(name) == 1 else 0)
        for _ in range(times):
            self.send("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", key=key, text=text,
                      modifiers=modifiers, windowsVirtualKeyCode=code)
            self.send("Input.dispatchKeyEvent", type="keyUp", key=key, modifiers=modifiers,
                      windowsVirtualKeyCode=code)

    def type(self, text):
        self.send("Input.insertText", text=text)

    def tab_to(self, selector, most=120):
        """Goes with the Tab key to an element, as somebody without a mouse does."""
        for _ in range(most):
            if self.evaluate(f"document.activeElement?.matches({json.dumps(selector)})"):
                return
            self.key("Tab")
        raise RuntimeError(f"the Tab key does not come to {selector}")

    def unnamed(self):
        """What can be used, and has no name that a screen reader could say."""
        roles = {"application", "button", "checkbox", "combobox", "radio", "slider", "spinbutton", "tab",
                 "textbox"}
        nodes = self.send("Accessibility.getFullAXTree")["nodes"]
        return [node["role"]["value"] for node in nodes
                if not node.get("ignored") and node.get("role", {}).get("value") in roles
                and not node.get("name", {}).get("value", "").strip()]

    def screenshot(self, path):
        picture = self.send("Page.captureScreenshot", format="png")
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture["data"]))

    def close(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)
