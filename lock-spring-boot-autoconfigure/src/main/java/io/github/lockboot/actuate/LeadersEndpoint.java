package io.github.lockboot.actuate;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

import io.github.lockboot.actuate.LeadersDescriptor.RoleDescriptor;
import io.github.lockboot.leader.LeaderElection;
import io.github.lockboot.leader.Leadership;

/**
 * {@link Endpoint @Endpoint} that shows which roles this instance leads. It sends no
 * command to the store; the endpoint of the locks shows the state of the lock of a role
 * over all instances.
 *
 * @since 1.0.0
 */
@Endpoint(id = "leaders", defaultAccess = Access.READ_ONLY)
public class LeadersEndpoint {

	private final List<LeaderElection> elections;

	/**
	 * Create the endpoint.
	 * @param elections the elections of this instance
	 */
	public LeadersEndpoint(Collection<LeaderElection> elections) {
		this.elections = List.copyOf(elections);
	}

	/**
	 * Show the roles.
	 * @return the roles of this instance
	 */
	@ReadOperation
	public LeadersDescriptor leaders() {
		Map<String, RoleDescriptor> roles = new TreeMap<>();
		for (LeaderElection election : this.elections) {
			Leadership leadership = election.leadership();
			roles.put(election.role(),
					(leadership != null) ? new RoleDescriptor(true, leadership.since(), leadership.fencingToken())
							: new RoleDescriptor(false, null, null));
		}
		return new LeadersDescriptor(roles);
	}

}
