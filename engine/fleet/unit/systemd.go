package unit

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode"
)

// Options say what is kept running.
type Options struct {
	Executable string   // absolute path of chant; of a container file, its name in the folder from which it is built
	Args       []string // of chant
	Folder     string   // absolute path of the clone
	User       string   // who runs it; "" in a unit = the user of the systemd that runs it
	Path       string   // the variable PATH, in which agents are found; "" = the usual one
}

// stopTime is how long chant has to stop its runs and push their branches, in seconds.
const stopTime = 120

// Systemd returns a unit of systemd. Error: a value that a unit cannot contain.
func Systemd(o Options) (string, error) {
	if err := o.check(); err != nil {
		return "", err
	}
	if !path.IsAbs(o.Executable) || !path.IsAbs(o.Folder) || strings.Contains(o.Executable, "$") {
		return "", fmt.Errorf("the paths %q and %q have to be absolute, the first one without $", o.Executable, o.Folder)
	}
	command := []string{quoted(o.Executable)}
	for _, arg := range o.Args {
		command = append(command, quoted(arg))
	}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("[Unit]")
	line("Description=chant in %s", percent(o.Folder))
	if o.User != "" {
		line("Wants=network-online.target\nAfter=network-online.target")
	}
	line("StartLimitIntervalSec=0\n\n[Service]\nType=exec")
	if o.User != "" {
		line("User=%s", o.User)
	}
	line("WorkingDirectory=%s", percent(o.Folder))
	if o.Path != "" {
		line("Environment=%s", quotedIn("PATH="+o.Path, percent))
	}
	line("ExecStart=%s\n", strings.Join(command, " "))
	line("# It ends without a fault only if it was told to: drained, sent down or stopped by a signal (130).")
	line("Restart=on-failure\nRestartSec=5\nSuccessExitStatus=130")
	line("# Wrong arguments do not become right.\nRestartPreventExitStatus=2\n")
	line("# At first only chant is told to stop, so that it can stop its runs; what is left later is killed.")
	line("KillMode=mixed\nKillSignal=SIGTERM\nTimeoutStopSec=%d", stopTime)
	line("# An agent that uses too much memory does not end the others.\nOOMPolicy=continue\n")
	line("# What agents never need.\nNoNewPrivileges=yes\nRestrictRealtime=yes")
	if o.User != "" {
		line("PrivateTmp=yes\nProtectSystem=full\nProtectControlGroups=yes\nProtectKernelModules=yes\nCapabilityBoundingSet=")
	}
	target := "default.target"
	if o.User != "" {
		target = "multi-user.target"
	}
	line("\n[Install]\nWantedBy=%s", target)
	return b.String(), nil
}

// check refuses what no form can contain.
func (o Options) check() error {
	for _, text := range append([]string{o.Executable, o.Folder, o.Path}, o.Args...) {
		if strings.ContainsFunc(text, unicode.IsControl) || !validText(text) {
			return fmt.Errorf("%q has a character that cannot be printed", text)
		}
	}
	if o.Executable == "" || o.Folder == "" || strings.TrimSpace(o.Folder) != o.Folder || strings.HasSuffix(o.Folder, `\`) {
		return fmt.Errorf("%q and %q are not the paths of a program and a folder", o.Executable, o.Folder)
	}
	if o.User != "" && (strings.Trim(o.User, lower+"0123456789_-") != "" || strings.ContainsAny(o.User[:1], "0123456789-")) {
		return fmt.Errorf("invalid user %q (use small letters, digits, - and _)", o.User)
	}
	if o.User == "root" {
		return errors.New("agents must not run as root; name another user")
	}
	return nil
}

const lower = "abcdefghijklmnopqrstuvwxyz"

func validText(text string) bool { return strings.ToValidUTF8(text, "") == text }

// percent writes a text so that systemd replaces nothing in it.
func percent(text string) string { return strings.ReplaceAll(text, "%", "%%") }

// quoted writes an argument of a command.
func quoted(arg string) string {
	return quotedIn(arg, func(text string) string { return strings.ReplaceAll(percent(text), "$", "$$") })
}

// quotedIn writes a text in quotes if it needs them, as systemd reads them.
func quotedIn(text string, escape func(string) string) string {
	plain := text != "" && strings.Trim(text, lower+strings.ToUpper(lower)+"0123456789_-./:=@,+%$") == ""
	text = escape(text)
	if plain {
		return text
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}
