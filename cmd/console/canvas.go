package console

import (
	"os"
	"path/filepath"

	"chant/engine"
	"chant/engine/atomicfile"
	"chant/engine/next"

	"github.com/charmbracelet/x/term"
)

// Canvas is what a command may draw on the stream of its results.
type Canvas struct {
	Width int  // columns, 0 if lines may have any length
	Rich  bool // a terminal that can draw lines, for a person: not a pipe, and not TERM=dumb
}

// plainWidth is the width of a terminal that does not say how wide it is.
const plainWidth = 80

// Canvas returns what the command may draw on.
func (a *App) Canvas() Canvas {
	f, ok := a.Screen.Out.(*os.File)
	if !ok || !term.IsTerminal(f.Fd()) {
		return Canvas{}
	}
	width, _, err := term.GetSize(f.Fd())
	if err != nil || width <= 0 {
		width = plainWidth
	}
	return Canvas{Width: width, Rich: knownTerminal(a.Environ)}
}

// WriteFile writes a result to a file of the user, completely or not at all. It follows links and refuses anything but a
// regular file.
func (a *App) WriteFile(file string, content []byte) error {
	path := a.Below(file)
	if at, err := filepath.EvalSymlinks(path); err == nil {
		path = at
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return engine.Fail(engine.Usage, next.Help(), "%q is not a regular file", file)
	}
	if err := atomicfile.Write(path, content, atomicfile.Options{}); err != nil {
		return engine.Fail(engine.Usage, next.Help(), "cannot write %q: %s", file, err)
	}
	return nil
}
