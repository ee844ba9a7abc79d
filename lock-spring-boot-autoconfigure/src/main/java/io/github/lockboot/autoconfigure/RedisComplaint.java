package io.github.lockboot.autoconfigure;

import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * Why Redis can't be used while an application starts, and which property to change. The
 * first that applies is told.
 */
enum RedisComplaint {

	SAME_SERVER("are the same Redis server",
			"Name each master once in lock.redis.redlock.nodes: an odd number of independent servers, three or more."),

	SENTINELS("Cannot connect to a Redis Sentinel|using SENTINEL MASTER",
			"Correct spring.data.redis.sentinel.nodes: none of them answers as a Sentinel. Their user and password are"
					+ " under spring.data.redis.sentinel."),

	MASTER("Cannot provide redisAddress using sentinel",
			"Correct spring.data.redis.sentinel.master: no Sentinel knows a master of this name."),

	CREDENTIALS("NOAUTH|WRONGPASS|AUTH failed|without any password configured|invalid password",
			"Correct spring.data.redis.username and spring.data.redis.password."),

	RIGHTS("NOPERM",
			"Give the user of spring.data.redis.username the rights that docs/topologies.md lists, for keys and channels"
					+ " with the prefix of lock.key-prefix."),

	DATABASE("DB index is out of range",
			"Correct spring.data.redis.database, or raise the number of databases in Redis."),

	CLUSTER("Redis Cluster topology|cluster partitions|CLUSTERDOWN|cluster support disabled",
			"Start the cluster, or correct spring.data.redis.cluster.nodes: none of them answers as a member of a cluster."
					+ " A single Redis is told by spring.data.redis.host and port."),

	CERTIFICATE("PKIX|certification path|CertificateException|No subject alternative",
			"Let spring.data.redis.ssl.bundle name an SSL bundle that trusts the certificate of Redis and its host name."),

	HOST("Failed to resolve|UnknownHostException",
			"Correct spring.data.redis.host (or the hosts of the nodes): there is none of this name."),

	HUNG_UP("Connection closed prematurely|Connection reset|ClosedChannelException|NotSslRecordException|timed out",
			"Redis does not answer, or takes another protocol: set spring.data.redis.ssl.enabled=true if it wants TLS and"
					+ " false if not, and correct its address under spring.data.redis."),

	UNREACHABLE("", "Start Redis, or correct its address and password under spring.data.redis, or its masters in"
			+ " lock.redis.redlock.nodes if these are set.");

	private final Pattern words;

	private final String cure;

	RedisComplaint(String words, String cure) {
		this.words = Pattern.compile(words);
		this.cure = cure;
	}

	/**
	 * Find what a failure complains about.
	 * @param text names and messages of the failure and its causes
	 * @return the first that applies
	 */
	static RedisComplaint in(String text) {
		return Arrays.stream(values())
			.filter((complaint) -> complaint.words.matcher(text).find())
			.findFirst()
			.orElse(UNREACHABLE);
	}

	/**
	 * Return what to change.
	 * @return one or two sentences with properties
	 */
	String cure() {
		return this.cure;
	}

}
