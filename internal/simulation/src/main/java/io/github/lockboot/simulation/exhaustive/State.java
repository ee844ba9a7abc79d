package io.github.lockboot.simulation.exhaustive;

import java.util.ArrayList;
import java.util.List;

import io.github.lockboot.simulation.server.SimulatedRedis.Snapshot;

/**
 * Everything that the future depends on.
 *
 * @param keys the keys of the server
 * @param replica the keys without the last write
 * @param tick how many thirds of a lease have passed
 * @param crashed the JVM that has crashed, or -1
 * @param highest the highest token of a holder so far
 */
record State(Snapshot keys, Snapshot replica, int tick, List<Attempt> attempts, List<Packet> packets, int crashed,
		long highest, int faults, int crashes, int failOvers, int forces) {

	State with(int index, Attempt attempt) {
		List<Attempt> changed = new ArrayList<>(this.attempts);
		changed.set(index, attempt);
		return new State(this.keys, this.replica, this.tick, changed, this.packets, this.crashed, this.highest,
				this.faults, this.crashes, this.failOvers, this.forces);
	}

	State withAll(List<Attempt> attempts) {
		return new State(this.keys, this.replica, this.tick, attempts, this.packets, this.crashed, this.highest,
				this.faults, this.crashes, this.failOvers, this.forces);
	}

	State plus(Packet packet) {
		List<Packet> changed = new ArrayList<>(this.packets);
		changed.add(packet);
		return withPackets(changed);
	}

	State minus(Packet packet) {
		List<Packet> changed = new ArrayList<>(this.packets);
		changed.remove(packet);
		return withPackets(changed);
	}

	State withPackets(List<Packet> packets) {
		return new State(this.keys, this.replica, this.tick, this.attempts, packets, this.crashed, this.highest,
				this.faults, this.crashes, this.failOvers, this.forces);
	}

	State withKeys(Snapshot keys, Snapshot replica) {
		return new State(keys, replica, this.tick, this.attempts, this.packets, this.crashed, this.highest, this.faults,
				this.crashes, this.failOvers, this.forces);
	}

	State withHighest(long highest) {
		return new State(this.keys, this.replica, this.tick, this.attempts, this.packets, this.crashed,
				Math.max(highest, this.highest), this.faults, this.crashes, this.failOvers, this.forces);
	}

	State later() {
		return new State(this.keys, this.replica, this.tick + 1, this.attempts, this.packets, this.crashed,
				this.highest, this.faults, this.crashes, this.failOvers, this.forces);
	}

	State withCrash(int jvm) {
		return new State(this.keys, this.replica, this.tick, this.attempts, this.packets, jvm, this.highest,
				this.faults, this.crashes - 1, this.failOvers, this.forces);
	}

	/** The same with fewer faults to come. */
	State spent(int faults, int failOvers, int forces) {
		return new State(this.keys, this.replica, this.tick, this.attempts, this.packets, this.crashed, this.highest,
				this.faults - faults, this.crashes, this.failOvers - failOvers, this.forces - forces);
	}

}
