package fleet

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"chant/cmd/console"
	"chant/engine/work/node"

	"github.com/spf13/cobra"
)

func newInvite(a *console.App) *cobra.Command {
	var in node.InviteInput
	c := &cobra.Command{
		Use:   "invite NAME",
		Short: "Let another machine join, with a key of its own",
		Long: `Let another machine join the fleet whose hub is in this repository. The invitation is a file with the
key of that machine: copy it there as a secret, and run the printed command. Inviting the same name
again writes the same key. A machine may take specs and report on its own work, nothing else; with
--land it may also do what the hub does.`,
		Example: "chant fleet invite buildbox\nchant fleet invite buildbox --url tls://hub.example.com:4222 --output buildbox.fleet",
		Args:    exactlyOne("the name of one machine"),
		RunE: func(c *cobra.Command, args []string) error {
			in.Name = args[0]
			if in.Out != "" {
				in.Out = a.Below(in.Out)
			}
			return console.Do(a, c, node.Invite, in, func(w io.Writer, r node.InviteResult) {
				where := "there"
				if r.Local {
					where = "in another folder of this machine"
				}
				fmt.Fprintf(w, "Invited %s: %s (keep it secret)\n%s: chant fleet join %s --slots 4\n", r.Name, r.File, where, filepath.Base(r.File))
				if r.Local {
					fmt.Fprintf(w, "Other machines do not reach the hub, which listens on loopback: end it, start it with %q, and invite again\n", r.Next)
				}
			})
		},
	}
	f := c.Flags()
	f.BoolVar(&in.Land, "land", false, "it may also offer and land, as the hub does")
	f.StringVarP(&in.Out, "output", "o", "", "file to write (default: NAME.fleet in chant's folder of keys)")
	console.Renamed(c, "out", "output")
	f.StringVar(&in.URL, "url", "", "address of the hub as that machine reaches it, if it differs")
	return c
}

func newJoin(a *console.App) *cobra.Command {
	var in node.JoinInput
	c := &cobra.Command{
		Use:   "join INVITATION|URL",
		Short: "Work specs of a fleet on this machine",
		Long: `Work specs of a fleet on this machine until Ctrl-C. It clones the git remote into a folder of its own, or
uses the clone that it made before, takes specs from the queue, works them there as "chant work" does,
and pushes their branches; the hub lands them. It takes only specs whose provider is installed and
signed in here, and whose runs_on labels it has. The first Ctrl-C lets what runs end, the second stops
it and gives it back.`,
		Example: "chant fleet join buildbox.fleet --slots 4\nchant fleet join tls://hub.example.com:4222 --remote git@example.com:team/app.git --credentials worker.creds --label gpu",
		Args:    exactlyOne("one invitation, or the address of a server"),
		RunE: func(c *cobra.Command, args []string) error {
			in.From = args[0]
			if !strings.Contains(in.From, "://") {
				in.From = a.Below(in.From)
			}
			for _, path := range []*string{&in.Credentials, &in.CA} {
				if *path != "" {
					*path = a.Below(*path)
				}
			}
			// The program without the exporters is replaced before anything has begun.
			if in.Observe = a.Observe; lacksExporter(a, in.Observation) {
				if err := become(a.Executable, a.Environ); err != nil {
					return err
				}
			}
			in.Ready = func(r node.JoinResult) { announce(a, r, renderJoin) }
			// The first Ctrl-C lets what runs end, and the second stops it.
			a.Stop.Take()
			_, err := node.Join(c.Context(), a.Dir, a.Options(a.LineOf), in)
			return ignoreExpectedEnd(c.Context(), err)
		},
	}
	f := c.Flags()
	f.StringVar(&in.Remote, "remote", "", "address of the git remote (an invitation has it)")
	f.Var(console.AtLeast(0, &in.Slots), "slots", "specs to work at once, 0 for half of the processors")
	f.StringSliceVarP(&in.Labels, "label", "l", nil, "label of this machine, which specs name under runs_on; its system is one already")
	console.Renamed(c, "labels", "label")
	f.StringVar(&in.Name, "name", "", "name of this machine in the fleet (an invitation has it; default: its host name)")
	f.StringVar(&in.Project, "project", "", "name of the queue on the server (default: the last part of the remote's address)")
	f.StringVar(&in.Credentials, "credentials", "", "file with the seed of an nkey, or .creds file (an invitation has a key)")
	f.StringVar(&in.CA, "ca", "", "file with the certificate that the server is checked with")
	f.StringVar(&in.Dir, "dir", "", "folder of the clone (default: the name of the project)")
	f.BoolVar(&in.Land, "land", false, "also offer and land, when no other machine does")
	observeFlags(f, &in.Observation)
	return c
}

func renderJoin(w io.Writer, r node.JoinResult) {
	fmt.Fprintf(w, "%s takes specs of %s: %d at once, with %s, in %s\n", r.Node, r.Project, r.Slots, list(r.Providers, "no provider"), r.Dir)
	renderMetrics(w, r.Metrics)
	if r.Leader == "" {
		fmt.Fprintf(w, "no machine leads the queue of %s now: nothing is offered until its hub runs\n", r.Project)
	}
}

// list joins words, or says that there are none.
func list(words []string, none string) string {
	if len(words) == 0 {
		return none
	}
	return strings.Join(words, ", ")
}
