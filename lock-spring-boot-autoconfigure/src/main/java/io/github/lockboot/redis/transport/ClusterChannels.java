package io.github.lockboot.redis.transport;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which channels of a cluster are listened to, and where. Thread-safe.
 */
interface ClusterChannels {

	/**
	 * Listen to one more channel.
	 * @param channel name of the channel
	 */
	void add(String channel);

	/**
	 * Return how to subscribe.
	 * @param map who serves what
	 * @return the kind
	 */
	Subscriber.Kind kind(ClusterMap map);

	/**
	 * Return where to subscribe.
	 * @param map who serves what
	 * @return masters
	 */
	List<ClusterMap.Master> masters(ClusterMap map);

	/**
	 * Return the channels to subscribe to.
	 * @param map who serves what
	 * @param master the master at which
	 * @return names of the channels
	 */
	Set<String> at(ClusterMap map, ClusterMap.Master master);

	/**
	 * Channels for what is published on any node.
	 *
	 * @param names their names; may grow
	 */
	record Plain(Set<String> names) implements ClusterChannels {

		/**
		 * Two, so that one node that stands still silences nobody.
		 */
		private static final int SUBSCRIPTIONS = 2;

		Plain() {
			this(ConcurrentHashMap.newKeySet());
		}

		@Override
		public void add(String channel) {
			this.names.add(channel);
		}

		@Override
		public Subscriber.Kind kind(ClusterMap map) {
			return Subscriber.Kind.CLASSIC;
		}

		@Override
		public List<ClusterMap.Master> masters(ClusterMap map) {
			List<ClusterMap.Master> masters = map.masters();
			return masters.subList(0, Math.min(SUBSCRIPTIONS, masters.size()));
		}

		@Override
		public Set<String> at(ClusterMap map, ClusterMap.Master master) {
			return Set.copyOf(this.names);
		}

	}

	/**
	 * The channels by which scripts reach one reader, as {@link RedisTransport#channels}
	 * tells.
	 *
	 * @param prefix what their names begin with
	 * @param reader what their names end with
	 */
	record OfScripts(String prefix, String reader) implements ClusterChannels {

		@Override
		public void add(String channel) {
			throw new UnsupportedOperationException("The channels of a reader follow from its name");
		}

		@Override
		public Subscriber.Kind kind(ClusterMap map) {
			return map.isSharded() ? Subscriber.Kind.SHARDED : Subscriber.Kind.CLASSIC;
		}

		@Override
		public List<ClusterMap.Master> masters(ClusterMap map) {
			return map.isSharded() ? map.masters() : new Plain().masters(map);
		}

		@Override
		public Set<String> at(ClusterMap map, ClusterMap.Master master) {
			return Set.of(this.prefix + (map.isSharded() ? master.tag() : ClusterMap.ANYWHERE) + this.reader);
		}

	}

}
