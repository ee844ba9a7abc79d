package io.github.lockboot.faults;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisProxy;

/**
 * One server behind a network that delays or loses packets in one direction.
 */
final class ProxiedTopology extends StandaloneTopology {

	private final RedisProxy network;

	ProxiedTopology() {
		super(RedisFixture.newServer(durable()),
				EnumSet.of(Fault.REQUESTS_LATE, Fault.ANSWERS_LATE, Fault.ANSWERS_LOST), true);
		this.network = new RedisProxy(servers().get(0));
	}

	@Override
	public Address address() {
		return new Address(Address.Kind.STANDALONE, List.of(this.network.address()));
	}

	@Override
	public List<RedisProxy> networks() {
		return List.of(this.network);
	}

	@Override
	public Set<Fault> faults() {
		Set<Fault> faults = EnumSet.copyOf(FAULTS);
		faults.addAll(ownFaults());
		return faults;
	}

	@Override
	public void close() {
		this.network.close();
		super.close();
	}

}
