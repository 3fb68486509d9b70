package fleet

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/spec/next"
)

// textResult is a file that is printed.
type textResult struct {
	Text string `json:"text"`
}

func newUnit(a *console.App) *cobra.Command {
	var o unitOptions
	c := &cobra.Command{
		Use:   "unit [flags] -- up|join ARGUMENTS...",
		Short: "Print a systemd unit that keeps a machine of a fleet running",
		Long: `Print a systemd unit that runs "chant fleet up" or "chant fleet join" with the arguments after "--". It starts
again after a fault or a restart of the machine, and not after "chant fleet drain" or "chant fleet down".
Without --user it is a unit of your own systemd: agents run as you, with your logins.`,
		Example: `chant fleet unit -- join buildbox.fleet --slots 4 > ~/.config/systemd/user/chant-fleet.service
systemctl --user enable --now chant-fleet
chant fleet unit --user chant --folder /srv/chant -- up --listen 0.0.0.0:4222 | sudo tee /etc/systemd/system/chant-hub.service`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			help := next.FleetUnit.Help()
			if err := checkLine(a, args, help); err != nil {
				return err
			}
			self, err := os.Executable()
			if err != nil && o.Executable == "" {
				return err
			}
			o.Executable, o.Folder = cmp.Or(o.Executable, self), a.Below(o.Folder)
			// A service has another PATH, in which agents would not be found.
			if !c.Flags().Changed("path") {
				o.Path = os.Getenv("PATH")
			}
			o.Args = append([]string{"fleet"}, args...)
			return printText(a, help, systemdUnit, o)
		},
	}
	f := c.Flags()
	addFlags(f, &o)
	f.StringVar(&o.Executable, "executable", "", "absolute path of chant (default: this program)")
	f.StringVar(&o.Folder, "folder", "", "folder in which the command runs (default: the current one)")
	f.StringVar(&o.Path, "path", "", "the variable PATH, in which agents are found (default: that of this shell)")
	return c
}

func newContainerfile(a *console.App) *cobra.Command {
	var o unitOptions
	c := &cobra.Command{
		Use:   "containerfile [flags] -- join ARGUMENTS...",
		Short: "Print a file to build a container from that works for a fleet",
		Long: `Print a Containerfile, from which podman and docker build an image with git and chant that runs "chant fleet
join" with the arguments after "--". Add what your agents and criteria need to it. The invitation and the
logins of agents are mounted when the container runs: nothing secret belongs in an image.`,
		Example: "chant fleet containerfile -- join /run/secrets/buildbox.fleet --slots 4 > Containerfile",
		Args:    cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			help := next.FleetImage.Help()
			if len(args) == 0 || args[0] != "join" {
				return engine.Fail(engine.Usage, help, `give the command to run after "--": join, with its arguments (a container is for a worker, and has no server)`)
			}
			if err := checkLine(a, args, help); err != nil {
				return err
			}
			o.Args = append([]string{"fleet"}, args...)
			return printText(a, help, containerfile, o)
		},
	}
	f := c.Flags()
	addFlags(f, &o)
	f.StringVar(&o.Executable, "executable", "chant", "program chant in the folder from which the image is built")
	f.StringVar(&o.Folder, "folder", "/home/chant/work", "folder in which the command runs, which is a volume")
	f.StringVar(&o.Path, "path", "", "the variable PATH, in which agents are found (default: that of the image)")
	return c
}

func addFlags(f *pflag.FlagSet, o *unitOptions) {
	f.StringVar(&o.User, "user", "", "user who runs it")
}

// checkLine parses the arguments of "chant fleet" as that command would.
func checkLine(a *console.App, args []string, help next.Step) error {
	var c *cobra.Command
	if len(args) > 0 {
		switch args[0] {
		case "up":
			c = newUp(a)
		case "join":
			c = newJoin(a)
		}
	}
	if c == nil {
		return engine.Fail(engine.Usage, help, `give the command to run after "--": up or join, with its arguments`)
	}
	// A wrong argument is refused here, and not by a service that starts.
	err := c.ParseFlags(args[1:])
	if err == nil {
		err = c.ValidateArgs(c.Flags().Args())
	}
	if err != nil {
		return engine.Fail(engine.Usage, help, "chant fleet %s: %s", strings.Join(args, " "), err)
	}
	return nil
}

// printText prints what a function makes of options. What it refuses is a wrong use.
func printText(a *console.App, help next.Step, make func(unitOptions) (string, error), o unitOptions) error {
	text, err := make(o)
	if err != nil {
		return engine.Fail(engine.Usage, help, "%s", err)
	}
	return console.Show(a, textResult{text}, func(w io.Writer, r textResult) { fmt.Fprint(w, r.Text) })
}

// unitOptions say what is kept running.
type unitOptions struct {
	Executable string   // absolute path of chant; of a container file, its name in the folder from which it is built
	Args       []string // of chant
	Folder     string   // absolute path of the clone
	User       string   // who runs it; "" in a unit = the user of the systemd that runs it
	Path       string   // the variable PATH, in which agents are found; "" = the usual one
}

// stopTime is how long chant has to stop its runs and push their branches, in seconds.
const stopTime = 120

// systemdUnit returns a unit of systemd. Error: a value that a unit cannot contain.
func systemdUnit(o unitOptions) (string, error) {
	if err := o.check(); err != nil {
		return "", err
	}
	// systemd replaces variables in ExecStart, and knows no way to write a $ in the program's own name.
	if !path.IsAbs(o.Executable) || !path.IsAbs(o.Folder) || strings.Contains(o.Executable, "$") {
		return "", fmt.Errorf("the paths %q and %q have to be absolute, the first one without $", o.Executable, o.Folder)
	}
	command := []string{quoteArg(o.Executable)}
	for _, arg := range o.Args {
		command = append(command, quoteArg(arg))
	}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("[Unit]")
	line("Description=chant in %s", escapePercent(o.Folder))
	// Units of a user have no such targets.
	if o.User != "" {
		line("Wants=network-online.target\nAfter=network-online.target")
	}
	// A machine that cannot reach the hub for long is started again all the same.
	line("StartLimitIntervalSec=0\n\n[Service]\nType=exec")
	if o.User != "" {
		line("User=%s", o.User)
	}
	line("WorkingDirectory=%s", escapePercent(o.Folder))
	if o.Path != "" {
		line("Environment=%s", quoteUnless("PATH="+o.Path, escapePercent))
	}
	line("ExecStart=%s\n", strings.Join(command, " "))
	line("# It ends without a fault only if it was told to: drained, sent down or stopped by a signal (130).")
	line("Restart=on-failure\nRestartSec=5\nSuccessExitStatus=130")
	line("# Wrong arguments do not become right.\nRestartPreventExitStatus=2\n")
	line("# At first only chant is told to stop, so that it can stop its runs; what is left later is killed.")
	line("KillMode=mixed\nKillSignal=SIGTERM\nTimeoutStopSec=%d", stopTime)
	line("# An agent that uses too much memory does not end the others.\nOOMPolicy=continue\n")
	line("# What agents never need.\nNoNewPrivileges=yes\nRestrictRealtime=yes")
	// A unit of a user has nothing that would put it into a namespace.
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
func (o unitOptions) check() error {
	for _, text := range append([]string{o.Executable, o.Folder, o.Path}, o.Args...) {
		// A line break would begin another setting.
		if strings.ContainsFunc(text, unicode.IsControl) || !isValidText(text) {
			return fmt.Errorf("%q has a character that cannot be printed", text)
		}
	}
	// A backslash at the end would join the next line to it.
	if o.Executable == "" || o.Folder == "" || strings.TrimSpace(o.Folder) != o.Folder || strings.HasSuffix(o.Folder, `\`) {
		return fmt.Errorf("%q and %q are not the paths of a program and a folder", o.Executable, o.Folder)
	}
	if o.User != "" && (strings.Trim(o.User, lowerLetters+"0123456789_-") != "" || strings.ContainsAny(o.User[:1], "0123456789-")) {
		return fmt.Errorf("invalid user %q (use small letters, digits, - and _)", o.User)
	}
	if o.User == "root" {
		return errors.New("agents must not run as root; name another user")
	}
	return nil
}

const lowerLetters = "abcdefghijklmnopqrstuvwxyz"

func isValidText(text string) bool { return strings.ToValidUTF8(text, "") == text }

// escapePercent writes a text so that systemd replaces nothing in it.
func escapePercent(text string) string { return strings.ReplaceAll(text, "%", "%%") }

// quoteArg writes an argument of a command.
func quoteArg(arg string) string {
	return quoteUnless(arg, func(text string) string { return strings.ReplaceAll(escapePercent(text), "$", "$$") })
}

// quoteUnless writes a text in quotes if it needs them, as systemd reads them.
func quoteUnless(text string, escape func(string) string) string {
	plain := text != "" && strings.Trim(text, lowerLetters+strings.ToUpper(lowerLetters)+"0123456789_-./:=@,+%$") == ""
	text = escape(text)
	if plain {
		return text
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}
