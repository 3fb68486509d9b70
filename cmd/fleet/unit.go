package fleet

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/fleet/unit"
	"chant/engine/spec/next"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// textResult is a file that is printed.
type textResult struct {
	Text string `json:"text"`
}

func newUnit(a *console.App) *cobra.Command {
	var o unit.Options
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
			if !c.Flags().Changed("path") {
				o.Path = os.Getenv("PATH")
			}
			o.Args = append([]string{"fleet"}, args...)
			return printText(a, help, unit.Systemd, o)
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
	var o unit.Options
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
			return printText(a, help, unit.Containerfile, o)
		},
	}
	f := c.Flags()
	addFlags(f, &o)
	f.StringVar(&o.Executable, "executable", "chant", "name of chant in the folder from which the image is built")
	f.StringVar(&o.Folder, "folder", "/home/chant/work", "folder in which the command runs, which is a volume")
	f.StringVar(&o.Path, "path", "", "the variable PATH, in which agents are found (default: that of the image)")
	return c
}

func addFlags(f *pflag.FlagSet, o *unit.Options) {
	f.StringVar(&o.User, "user", "", "user who runs it")
}

// checkLine parses the arguments of "chant fleet" as that command would, so that a wrong one is refused here and not by
// a service that starts.
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
func printText(a *console.App, help next.Step, make func(unit.Options) (string, error), o unit.Options) error {
	text, err := make(o)
	if err != nil {
		return engine.Fail(engine.Usage, help, "%s", err)
	}
	return console.Show(a, textResult{text}, func(w io.Writer, r textResult) { fmt.Fprint(w, r.Text) })
}
