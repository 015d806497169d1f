"use strict";

/* What a player can do: verbs, moves with their signs, and keys. */

const GAME_ACTIONS = (() => {
  const VERBS = ["Pickup", "Place", "Open", "Close", "ToggleOn", "ToggleOff", "Slice", "Pour"];
  const VERB_WORDS = { Pickup: "Pick up", Place: "Put down", ToggleOn: "Switch on", ToggleOff: "Switch off" };
  const MOVES = [
    ["Turn Left", "↰", "turn left (←)"], ["Forward", "↑", "forward (↑ or W)"], ["Turn Right", "↱", "turn right (→)"],
    ["Look Up", "⤒", "look up (R)"],
    ["Pan Left", "⇠", "step left (A)"], ["Backward", "↓", "backward (↓ or S)"], ["Pan Right", "⇢", "step right (D)"],
    ["Look Down", "⤓", "look down (F)"],
  ];
  const KEYS = {
    ArrowUp: "Forward", ArrowDown: "Backward", ArrowLeft: "Turn Left", ArrowRight: "Turn Right",
    w: "Forward", s: "Backward", a: "Pan Left", d: "Pan Right", q: "Turn Left", e: "Turn Right",
    r: "Look Up", f: "Look Down",
  };

  return { VERBS, VERB_WORDS, MOVES, KEYS };
})();
