package point

// declaredHosts say on which machines the sides run.
var declaredHosts = []*Key{
	{
		Name: "client_hosts", Axis: true, Kinds: served, fallback: nothing, Trust: Consent,
		form:      text(func(a *Asked) *string { return &a.ClientHosts }, hostNames),
		Values:    "names in [hosts.yaml](hosts.md), such as `db1,db2`; `local` is this machine. Clients are assigned round-robin",
		Otherwise: "`local`",
		Load:      Flag{Name: "client-hosts", Help: "`hosts` of hosts.yaml to load from, such as db1,db2: at least one client on each"},
		Columns: []Column{{
			Name: "client_hosts", Is: "hosts of the clients, in turn", Absent: "this machine",
			value: plain(func(s Spec) string { return s.ClientHosts }),
		}},
		Sides: &Sides{func(s Spec) string { return hostText(s.ClientHosts) }, func(s *Spec) { s.ClientHosts = "" }},
		Words: func(s Spec) string { return wordsOf("clients on ", s.ClientHosts) },
	},
	{
		Name: "server_hosts", Axis: true, Kinds: served, fallback: nothing, Trust: Consent,
		form:   text(func(a *Asked) *string { return &a.ServerHosts }, hostNames),
		Values: "the same for the servers", Otherwise: "`local`",
		Columns: []Column{{
			Name: "server_hosts", Is: "hosts of the servers, in turn", Absent: "this machine, or your own server",
			value: plain(func(s Spec) string { return s.ServerHosts }),
		}},
		Sides: &Sides{func(s Spec) string { return hostText(s.ServerHosts) }, func(s *Spec) { s.ServerHosts = "" }},
		Words: func(s Spec) string { return wordsOf("servers on ", s.ServerHosts) },
	},
}

func wordsOf(what, hosts string) string {
	if hosts == "" {
		return ""
	}
	return what + hosts
}

func hostText(hosts string) string {
	if hosts == "" {
		return LocalHost
	}
	return hosts
}
