package run

import "chant/providers/secret"

// hidden is an environment as evidence may keep it.
func (r *Run) hidden(vars map[string]string) map[string]string {
	out := make(map[string]string, len(vars))
	for name, value := range vars {
		if secret.Named(name) {
			out[name] = secret.Mark(name)
			continue
		}
		out[name] = r.Secrets.Text(value)
	}
	if len(out) == 0 {
		return nil
	}
	return out
}
