// The colors, on light and on dark paper. Written by docs/make_tables.py from drawing/palette.py.

/** @type {Record<string, [string, string]>} */
// prettier-ignore
export const TONES = {
  "blue": ["#0072B2", "#3E9BE0"],
  "orange": ["#C97B00", "#E89B2A"],
  "green": ["#009E73", "#2FC79B"],
  "red": ["#C9480B", "#F06A30"],
  "purple": ["#8E4585", "#C27FBA"],
  "sky": ["#2F93CC", "#6EC3F2"],
  "yellow": ["#968800", "#D0C22C"],
  "gray": ["#3F4650", "#B9C6DA"],
  "velocity": ["#16181D", "#F4F2EC"],
  "desired": ["#1B7F00", "#6BE04A"],
  "steering": ["#D4003F", "#FF5C7A"],
  "target": ["#2A43FF", "#8FA2FF"],
  "predicted": ["#9400E0", "#C08CFF"],
  "chosen": ["#B8008F", "#FF70C8"],
  "danger": ["#8A5200", "#FFDF8C"],
  "construction": ["#707070", "#9C9C9C"],
  "sheet": ["#FAF9F5", "#13161A"],
  "paper": ["#FBFAF6", "#17191D"],
  "card": ["#FEFEFE", "#1E2126"],
  "grid": ["#EFEDE6", "#20242A"],
  "frame": ["#C9C6BD", "#4A4E55"],
  "rock": ["#D8D4C8", "#373B42"],
  "road": ["#F1EEE4", "#2A2F36"],
  "road edge": ["#DAD5C6", "#4E545D"],
  "grass": ["#E8F0E3", "#1C2E21"],
  "stone": ["#CFCABC", "#6E6A60"],
  "ground": ["#D5DBC4", "#47503F"],
  "soil": ["#E6E0D2", "#24262A"],
  "above": ["#DCE7F1", "#0F131C"],
  "below": ["#F6EEE3", "#212226"],
  "haze": ["#E9EBEA", "#1A1C21"],
  "line": ["#DEDBD1", "#34373D"],
  "soft": ["#F1EFE8", "#272A30"],
  "ink": ["#2B2D33", "#E6E4DE"],
  "faint": ["#6F6D66", "#A3A199"],
  "accent": ["#006BA8", "#4DB2EA"],
  "wrong": ["#B3361F", "#FF8B70"],
  "rock edge": ["#8C8778", "#7A7F88"],
  "wall": ["#837D6E", "#9A978C"],
  "road line": ["#948D79", "#80817A"],
  "grass edge": ["#6F9160", "#6F9A66"],
  "fruit": ["#668F3A", "#8FBF5A"],
  "arrow": ["#7190AB", "#5C7F9E"],
  "shut": ["#C4573A", "#E8795C"],
  "edges": ["#737A80", "#8A9096"],
  "held": ["#D96400", "#FF9A3D"],
  "ramp 0": ["#3E90C4", "#6B7FE0"],
  "ramp 1": ["#1F8F86", "#3FA7C9"],
  "ramp 2": ["#5E7F1E", "#46C48C"],
  "ramp 3": ["#A85A00", "#C9CC4A"],
  "ramp 4": ["#9E1030", "#FFE98A"],
  "crowd 0": ["#DFEBF4", "#162A40"],
  "crowd 1": ["#A3C9E4", "#1D4F79"],
  "crowd 2": ["#5399C9", "#2D82B4"],
  "crowd 3": ["#215F9F", "#73C4DE"],
  "crowd 4": ["#0C2C60", "#E4F6FE"],
  "wheel 0": ["#C85E83", "#F089AA"],
  "wheel 1": ["#C96736", "#F19266"],
  "wheel 2": ["#A17C00", "#CEAA3E"],
  "wheel 3": ["#5A9235", "#89C06A"],
  "wheel 4": ["#009680", "#24C8B1"],
  "wheel 5": ["#008FBC", "#33BEEB"],
  "wheel 6": ["#667FDA", "#8EA9FF"],
  "wheel 7": ["#A569BF", "#CD94E6"],
};

// prettier-ignore
export const POPULATIONS = ["blue", "orange", "green", "red", "purple", "sky", "yellow", "gray"];
// prettier-ignore
export const RAMP = ["ramp 0", "ramp 1", "ramp 2", "ramp 3", "ramp 4"];
// prettier-ignore
export const CROWD = ["crowd 0", "crowd 1", "crowd 2", "crowd 3", "crowd 4"];
// prettier-ignore
export const WHEEL = ["wheel 0", "wheel 1", "wheel 2", "wheel 3", "wheel 4", "wheel 5", "wheel 6", "wheel 7"];
