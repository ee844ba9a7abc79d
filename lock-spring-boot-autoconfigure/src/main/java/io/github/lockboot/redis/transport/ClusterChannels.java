package io.github.lockboot.redis.transport;

import java.util.List;

/**
 * The channels of a cluster by which one inbox is reached.
 *
 * @param prefix what their names begin with
 * @param name what their names end with
 * @param ofScripts whether scripts publish to them, as {@link RedisTransport#channels}
 * tells
 */
record ClusterChannels(String prefix, String name, boolean ofScripts) {

	/**
	 * Two, so that one node that stands still silences nobody.
	 */
	private static final int CLASSIC_SUBSCRIPTIONS = 2;

	/**
	 * One channel for what is published on any node.
	 * @param channel name of the channel
	 * @return the channel
	 */
	static ClusterChannels plain(String channel) {
		return new ClusterChannels(channel, "", false);
	}

	static ClusterChannels ofScripts(String prefix, String name) {
		return new ClusterChannels(prefix, name, true);
	}

	SingleInbox.Kind kind(ClusterMap map) {
		return (this.ofScripts && map.isSharded()) ? SingleInbox.Kind.SHARDED : SingleInbox.Kind.CLASSIC;
	}

	/**
	 * Return where to subscribe.
	 * @param map who serves what
	 * @return masters
	 */
	List<ClusterMap.Master> masters(ClusterMap map) {
		List<ClusterMap.Master> masters = map.masters();
		return (kind(map) == SingleInbox.Kind.SHARDED) ? masters
				: masters.subList(0, Math.min(CLASSIC_SUBSCRIPTIONS, masters.size()));
	}

	/**
	 * Return the channel to subscribe to.
	 * @param map who serves what
	 * @param master the master at which
	 * @return name of the channel
	 */
	String at(ClusterMap map, ClusterMap.Master master) {
		if (!this.ofScripts) {
			return this.prefix + this.name;
		}
		return this.prefix + (map.isSharded() ? master.tag() : ClusterMap.ANYWHERE) + this.name;
	}

}
