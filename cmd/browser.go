package cmd

import (
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"chant/engine"
)

// openBrowser opens an address in the user's browser, as far as there is one, by a file that leads there. leave removes it.
func openBrowser(address string, p *engine.Project, environ []string) (leave func()) {
	// Only this user can read the folder, and it is hidden from agents.
	hidden, err := p.Store.CacheDir(".serve")
	if err != nil {
		// The address was printed.
		return nil
	}
	dir, err := os.MkdirTemp(hidden, "")
	if err != nil {
		return nil
	}
	// A leftover is small, and its address is that of no server.
	leave = func() { _ = os.RemoveAll(dir) }
	// The arguments of programs can be seen by others, and the address contains a secret, so the browser gets a file that
	// leads there.
	page := fmt.Sprintf("<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"refresh\" content=\"0; url=%s\">\n", html.EscapeString(address))
	file := filepath.Join(dir, "open.html")
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		return leave
	}
	program := []string{"xdg-open", file}
	switch runtime.GOOS {
	case "darwin":
		program = []string{"open", file}
	case "windows":
		program = []string{"rundll32", "url.dll,FileProtocolHandler", file}
	}
	c := exec.Command(program[0], program[1:]...)
	c.Env = environ
	if c.Start() == nil {
		// Whether a browser could be opened is seen.
		go func() { _ = c.Wait() }()
	}
	return leave
}
