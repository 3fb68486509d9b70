package checks

import (
	"cmp"
	"fmt"
	"io"
	"text/tabwriter"

	"chant/cmd/console"
	"chant/engine/verify"

	"github.com/spf13/cobra"
)

// NewKey returns the command "chant key".
func NewKey(a *console.App) *cobra.Command {
	c := &cobra.Command{
		Use:     "key",
		Short:   "Make, list and trust the keys that sign evidence",
		Long:    "Make, list and trust the keys that sign the evidence of completed specs.\n\"chant guide keys\" describes them.",
		Example: "chant key init\nchant key list\nchant key trust",
		Args:    console.NoArgs,
	}
	c.AddCommand(newKeyInit(a), newKeyList(a), newKeyTrust(a))
	return c
}

func newKeyInit(a *console.App) *cobra.Command {
	var in verify.KeyInitInput
	c := &cobra.Command{
		Use:   "init",
		Short: "Make the key with which this machine signs evidence",
		Long: `Make the key with which this machine signs the evidence of completed specs.

With --ssh, a private Ed25519 key of OpenSSH is used instead. It stays where it is; if it
is encrypted, the SSH agent signs. An existing key is never replaced.`,
		Example: "chant key init\nchant key init --ssh ~/.ssh/id_ed25519",
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if in.SSH != "" {
				in.SSH = a.Below(in.SSH)
			}
			return console.Do(a, c, verify.InitKey, in, func(w io.Writer, r verify.KeyInitResult) {
				fmt.Fprintf(w, "Evidence is signed with the key %s (%s)\nnext: %s\n", r.ID, r.Path, r.Next)
			})
		},
	}
	c.Flags().StringVar(&in.SSH, "ssh", "", "private Ed25519 key of OpenSSH to use instead of a new key")
	return c
}

func newKeyList(a *console.App) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List this machine's key and the keys that the project trusts",
		Example: "chant key list\nchant key list --json",
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return console.Do(a, c, verify.ListKeys, verify.KeyListInput{}, renderKeys)
		},
	}
}

func renderKeys(w io.Writer, r verify.KeyListResult) {
	if len(r.Keys) == 0 {
		fmt.Fprintln(w, "no keys; \"chant key init\" makes one")
		return
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, k := range r.Keys {
		trusted, signs := "not trusted", ""
		if k.Trusted {
			trusted = "trusted"
		}
		switch {
		case k.Signs:
			signs = "this machine signs with it"
		case k.Own:
			signs = "this machine cannot sign with it: " + k.Why
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", cmp.Or(k.Name, "-"), k.ID, k.Type, trusted, signs)
	}
	t.Flush()
}

func newKeyTrust(a *console.App) *cobra.Command {
	var in verify.KeyTrustInput
	c := &cobra.Command{
		Use:   "trust [NAME]",
		Short: "Trust evidence that is signed with a key",
		Long: `Trust evidence that is signed with a key: commit its public key as .chant/keys/NAME.pub.

Without --key it is the key of this machine, and without NAME its name is your email
address, from git's settings. To end the trust, remove the file and commit that.`,
		Example: "chant key trust\nchant key trust ci --key ci.pub",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				in.Name = args[0]
			}
			if in.File != "" {
				in.File = a.Below(in.File)
			}
			return console.Do(a, c, verify.TrustKey, in, renderTrust)
		},
	}
	c.Flags().StringVar(&in.File, "key", "", "file with the public key, PEM or OpenSSH (default: this machine's key)")
	return c
}

func renderTrust(w io.Writer, r verify.KeyTrustResult) {
	switch {
	case r.Commit != "" && r.Branch != "":
		fmt.Fprintf(w, "Trusted %s (%s) in commit %.7s on %s\n", r.Name, r.ID, r.Commit, r.Branch)
	case r.Commit != "":
		fmt.Fprintf(w, "Trusted %s (%s) in commit %.7s\n", r.Name, r.ID, r.Commit)
	default:
		fmt.Fprintf(w, "%s (%s) is trusted: %s\n", r.Name, r.ID, r.Path)
	}
}
